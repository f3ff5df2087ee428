import { describe, expect, test, vi } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { ZstdUnpacker } from '../../../../core/bytes/zstd/zstd.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { openFolder } from '../../../setup/servers/folders.ts';
import { streamRow } from '../../../setup/servers/stream-rows.ts';

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

/** Frame whose blocks each repeat one byte `count` times (RFC 8878 section 3.1.1.2: type RLE). */
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
  test.each([1, 7, 1000, 1_000_000])('decompresses in chunks of %i bytes', async (size) => {
    const bytes = await folder.bytes('rows.ndjson.zst');
    expect(await unpackIn(bytes, size)).toBe(list.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  test('decodes compressed payloads at once and in batches', async () => {
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

  test('rejects truncated and damaged data with a typed error', async () => {
    const bytes = await folder.bytes('rows.ndjson.zst');
    await expect(unpackIn(bytes.slice(0, -5), 1_000)).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated' });
    const spoilt = bytes.slice();
    spoilt.fill(0xff, 200, 260);
    await expect(unpackIn(spoilt, 1_000)).rejects.toMatchObject({ name: 'DecodeError' });
    await expect(unpackIn(new TextEncoder().encode('{"no": "frame at all, but some text"}'), 100)).rejects.toMatchObject({ code: 'malformed' });
  });
});

test('stops a payload that expands without end', async () => {
  const bytes = bomb(131_072, 2_000);
  await expect(unpackIn(bytes, 100_000)).rejects.toMatchObject({ name: 'LimitError', limit: 'expansion' });
});

describe('Zstandard frame header', () => {
  /** Total size of the buffers allocated during `run`. */
  async function allocated(run: () => Promise<unknown>): Promise<number> {
    const own = globalThis.Uint8Array;
    let sum = 0;
    const counting = new Proxy(own, {
      construct(target, args: [number]) {
        if (typeof args[0] === 'number') sum += args[0];
        return Reflect.construct(target, args) as object;
      },
    });
    // Reloads the library, which keeps the constructor that it finds while loading.
    vi.resetModules();
    globalThis.Uint8Array = counting;
    try {
      await run();
    } finally {
      globalThis.Uint8Array = own;
    }
    return sum;
  }

  const hex = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text.match(/../g)!, (digits) => Number.parseInt(digits, 16));
  const skippable = '502a4d1804000000aabbccdd';
  /** Windows of 2 GB, given once as content size and once by the descriptor, and of 128 MiB. */
  const heads = ['28b52ffda0ffffff7f010000', '28b52ffd00a8010000000000', '28b52ffd0088010000000000'];

  test.each(heads)('allocates no oversized window, whether read whole or byte by byte (%s)', async (head) => {
    for (const before of ['', skippable, '28b52ffd2000010000']) {
      for (const size of [1, 5, 100]) {
        const bytes = hex(before + head);
        const sum = await allocated(async () => {
          const { ZstdUnpacker: fresh } = await import('../../../../core/bytes/zstd/zstd.ts');
          const { resolveLimits: defaults } = await import('../../../../core/limits.ts');
          const unpacker = await fresh.load(defaults());
          const unpack = (): void => {
            for (let at = 0; at < bytes.length; at += size) {
              unpacker.feed(bytes.subarray(at, at + size));
              while (unpacker.next() !== undefined);
            }
          };
          const place = expect.any(Number) as number;
          expect(unpack).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'expansion', offset: place }) as Error);
        });
        expect(sum).toBeLessThan(1_000_000);
      }
    }
  });

  test('charges the windows of consecutive frames to the budget', async () => {
    // Each frame has a window of 8 MiB and an empty block.
    const frames = hex('28b52ffd0068010000'.repeat(1_000));
    await expect(unpackIn(frames, 100_000)).rejects.toMatchObject({ name: 'LimitError', limit: 'expansion' });
    await expect(unpackIn(hex('28b52ffd0068080000'), 100)).rejects.toMatchObject({ code: 'truncated' });
  });

  test('accepts any number of subsequent frames and skippable frames', async () => {
    const frame = '28b52ffd20021100006869';
    expect(await unpackIn(hex((skippable + frame).repeat(20_000)), 1_000_000)).toBe('hi'.repeat(20_000));
    expect(await unpackIn(hex((skippable + frame).repeat(20)), 1)).toBe('hi'.repeat(20));
    // A checksum, then a truncated one.
    const checked = '28b52ffd2402110000686901020304';
    expect(await unpackIn(hex(checked.repeat(2)), 3)).toBe('hihi');
    await expect(unpackIn(hex(checked).subarray(0, -1), 3)).rejects.toMatchObject({ code: 'truncated' });
  });

  test('rejects a content size that differs from the content', async () => {
    for (const size of ['01', '03']) {
      await expect(unpackIn(hex(`28b52ffd20${size}1100006869`), 100)).rejects.toMatchObject({ code: 'malformed' });
    }
  });
});
