/** Tests compression where there are no web workers, as in Node. */
import { gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';

const value = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id % 7}` }));
const encoder = createEncoder();

describe('compression in Node', () => {
  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
  ] as const)('gives bytes that zlib reads: %s', async (compression, decompress) => {
    const plain = await encoder.encode(value, { format: 'messagepack' });
    const whole = await encoder.encode(value, { format: 'messagepack', compression });
    expect(whole.length).toBeLessThan(plain.length / 2);
    expect(Buffer.compare(decompress(whole), plain)).toBe(0);
    const streamed = new Uint8Array(await new Response(encoder.stream(value, { format: 'messagepack', compression })).arrayBuffer());
    expect(Buffer.compare(decompress(streamed), plain)).toBe(0);
  });

  it('fails with the error of the value, and stops reading items when the stream is cancelled', async () => {
    const bad = [...value, { id: Symbol('no') }];
    await expect(encoder.encode(bad, { format: 'messagepack', compression: 'gzip' })).rejects.toMatchObject({
      name: 'EncodeError',
      path: [20_000, 'id'],
    });
    let open = true;
    const endless = function* (): Generator<object> {
      try {
        for (;;) yield value[0]!;
      } finally {
        open = false;
      }
    };
    const reader = encoder.stream(endless(), { format: 'messagepack', options: { sequence: true }, compression: 'gzip' }).getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect(open).toBe(false);
  });
});
