import { describe, expect, test } from 'vitest';
import { ZstdUnpacker } from '../../../../core/bytes/zstd/zstd.ts';
import { decompress, loadCodecs } from '../../../../core/formats/avro/container/codecs.ts';
import { Budget } from '../../../../core/budget.ts';
import { resolveLimits } from '../../../../core/limits.ts';

const limits = resolveLimits();

/** Frames of the reference implementation: with FSE tables, with an RLE block, and with predefined tables. */
const list = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `row ${id}`, even: id % 2 === 0 })));
const FSE =
  '28b52ffd0010c50600828b1c17704fc652396134054f69fdff57849d99a150d9fdff7b0107dbbe6ddfb66fdbb7edb7eddbf66dfbb67ddb9e244f9227c993e449f2' +
  'dbf66dfbb67ddbbe6d97a44bd225e99274492a140884c14020b05b728b30100a89b9341388e4c7d1509ac39c00a0f2809c9fa681701c26f093581c8b2178a81130' +
  '77d8ff0da03352381128040981c6161061c6072f6bfdabd73fbbfdd3eb5fbdfed9ed9f5effeaf5cf6efff442420eae605f2000d75ffbb17d93aff7a8b797577874' +
  'b776dd3aa4dbb996e3b84e10c4208c2112303082100e74b551b07a805f05';
const VALID: [hex: string, text: string][] = [
  [FSE, list],
  ['28b52ffd005855000010616101006b1139c002', 'a'.repeat(70_000)],
  ['28b52ffd005874000020616263200200f3ff2d5988b9214d0000086301003c0d391002', 'abcabcabc '.repeat(20_000)],
];

const hex = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text.match(/../g)!, (digits) => Number.parseInt(digits, 16));

async function unpack(bytes: Uint8Array): Promise<string> {
  const unpacker = await ZstdUnpacker.load(limits);
  unpacker.feed(bytes);
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = unpacker.next(); piece; piece = unpacker.next()) text += decoder.decode(piece);
  unpacker.end();
  return text;
}

/** Frame with a window of 1 KiB, or 128 KiB, and one block per entry of `contents`. */
function frame(contents: string[], window = '00'): Uint8Array<ArrayBuffer> {
  const blocks = contents.map((content, index) => {
    const head = ((content.length / 2) << 3) | (2 << 1) | (index === contents.length - 1 ? 1 : 0);
    return [head & 255, (head >> 8) & 255, head >> 16].map((byte) => byte.toString(16).padStart(2, '0')).join('') + content;
  });
  return hex(`28b52ffd00${window}${blocks.join('')}`);
}

/**
 * Literals (none), number of sequences, modes (each with its own code), codes: literals length, offset, match length;
 * bitstream.
 */
const HOSTILE: [what: string, bytes: Uint8Array<ArrayBuffer>, message: string][] = [
  ['20,000 matches of 65,539 bytes', frame(['00ce20540000340001']), 'more content than is allowed'],
  ['20,000 matches of 34 bytes without bits', frame(['00ce205400001f01'], '38'), 'more content than is allowed'],
  ['20,000 runs of literals of 65,536 bytes', frame(['00ce205423000001']), 'more literals than the block has'],
  ['90,000 matches of 3 bytes', frame(['00ff905f5400000001'], '38'), 'more content than is allowed'],
  ['more literals than a block can have', frame(['fdffff4100'], '38'), 'more content than is allowed'],
  ['bits before the start of the bitstream', frame(['000254001f0001']), 'sequences of an unexpected length'],
  ['unused bits', frame(['00015400000002']), 'sequences of an unexpected length'],
  ['a bitstream without an end', frame(['00015400000000']), 'a bitstream without an end'],
  ['codes that do not exist', frame(['00015400003501']), 'an unknown code'],
  ['tables with too many states', frame(['00015800000bffffff01']), 'a table has too many states'],
  ['missing tables', frame(['0001fc01']), 'no table that could be repeated'],
  ['tables after no sequence', frame(['0080005400003401', '0001fc01']), 'ends too late'],
  ['a truncated literals header', frame(['9f541f']), 'ends too early'],
  ['Huffman weights without bits', frame(['12800104f003ffff0100']), 'a Huffman tree has too many symbols'],
];

describe('decoder of compressed Zstandard blocks', () => {
  test.each(VALID)('decompresses to the same bytes as the reference implementation (%#)', async (bytes, text) => {
    expect(await unpack(hex(bytes))).toBe(text);
  });

  test.each(HOSTILE)('rejects blocks before decompression if they have %s', async (_, bytes, message) => {
    const error = { name: 'DecodeError', code: 'malformed', message: expect.stringContaining(message) as string };
    await expect(unpack(bytes)).rejects.toMatchObject(error);
    await loadCodecs('zstandard');
    const budget = new Budget(limits);
    expect(() => decompress('zstandard', bytes, budget, 0)).toThrow(expect.objectContaining({ ...error }) as Error);
  });

  test('gives content or a typed error for bytes damaged anywhere', async () => {
    const bytes = hex(FSE);
    const errors = ['DecodeError', 'LimitError'];
    for (let at = 6; at < bytes.length; at += 1) {
      for (let change = 1; change < 256; change = change * 2 + (at & 1)) {
        const damaged = bytes.slice();
        damaged[at]! ^= change;
        const name = await unpack(damaged).then(
          () => undefined,
          (error: Error) => error.name,
        );
        if (name !== undefined) expect(errors).toContain(name);
      }
    }
  });
});
