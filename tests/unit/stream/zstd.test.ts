import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../main/decoder/create-decoder.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import { ZstdUnpacker } from '../../../worker/bytes/zstd.ts';
import { assertSame } from '../../setup/differential.ts';
import { openFolder } from '../../setup/folders.ts';
import { streamRow } from '../../setup/stream-rows.ts';

const list = Array.from({ length: 4_000 }, (_, index) => streamRow(index));
const limits = resolveLimits();
const folder = (await openFolder('fixtures', 'zstd'))!;

async function unpackIn(bytes: Uint8Array, size: number, own = limits): Promise<string> {
  const unpacker = await ZstdUnpacker.load(own);
  const decoder = new TextDecoder();
  let text = '';
  const take = (): void => {
    for (let piece = unpacker.next(); piece; piece = unpacker.next()) text += decoder.decode(piece, { stream: true });
  };
  for (let at = 0; at < bytes.length; at += size) {
    unpacker.feed(bytes.slice(at, at + size));
    take();
  }
  unpacker.end();
  take();
  return text;
}

function stream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => (at < bytes.length ? controller.enqueue(bytes.slice(at, (at += size))) : controller.close()),
  });
}

/** A frame of one block of `count` times the same byte (RFC 8878 section 3.1.1.2: type RLE). */
function bomb(count: number, blocks: number): Uint8Array<ArrayBuffer> {
  const block = (last: boolean): number[] => {
    const header = (count << 3) | (1 << 1) | (last ? 1 : 0);
    return [header & 255, (header >> 8) & 255, header >> 16, 0x20];
  };
  const body = Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)).flat();
  // No content size, no checksum; a window of 1 MB.
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x50, ...body]);
}

describe('Zstandard', () => {
  test.each([1, 7, 1000, 1_000_000])('is decompressed in chunks of %i bytes', async (size) => {
    const bytes = await folder.bytes('rows.ndjson.zst');
    expect(await unpackIn(bytes, size)).toBe(list.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  test('has payloads that decode, whole and in batches', async () => {
    const decoder = createDecoder();
    const bytes = await folder.bytes('rows.ndjson.zst');
    const options = { format: 'json', options: { sequence: true }, compression: 'zstd' } as const;
    assertSame(await decoder.decode(bytes, options), list);
    assertSame(await decoder.decode(stream(bytes, 1_000), options), list);
    const sniffed = await decoder.decode(bytes, { options: { sequence: true }, compression: 'zstd' });
    assertSame(sniffed, list);
    const typed = new Response(bytes, { headers: { 'Content-Type': 'application/zstd' } });
    assertSame(await decoder.decode(typed, { options: { sequence: true } }), list);
    const seen: unknown[] = [];
    for await (const batch of decoder.batches(stream(bytes, 5_000), options)) seen.push(...batch);
    assertSame(seen, list);
  });

  test('data that are cut or damaged give typed errors', async () => {
    const bytes = await folder.bytes('rows.ndjson.zst');
    await expect(unpackIn(bytes.slice(0, -5), 1_000)).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated' });
    const spoilt = bytes.slice();
    spoilt.fill(0xff, 200, 260);
    await expect(unpackIn(spoilt, 1_000)).rejects.toMatchObject({ name: 'DecodeError' });
    await expect(unpackIn(new TextEncoder().encode('{"no": "frame at all, but some text"}'), 100)).rejects.toMatchObject({ code: 'malformed' });
  });
});

test('a payload of Zstandard that expands without end is stopped', async () => {
  const bytes = bomb(131_072, 2_000);
  await expect(unpackIn(bytes, 100_000)).rejects.toMatchObject({ name: 'LimitError', limit: 'expansion' });
});
