import { Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import cbor, { type CborOptions, CborSimple, CborTag } from '../../../../../core/formats/cbor/index.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { reviveCbor } from '../../../../../core/formats/cbor/revive.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { bytesOf } from './bytes.ts';

/** Decodes through a block, as from a worker to a page. The input comes in chunks of `size`. */
async function decodeByBlock(bytes: Uint8Array, options: CborOptions = {}, size = bytes.length): Promise<unknown> {
  const write = (sink: Sink): void => {
    const reader = cbor.createReader(sink, options, resolveLimits(), undefined);
    for (let at = 0; at < bytes.length; at += size) {
      // A pushed chunk is only valid during the call.
      const chunk = bytes.slice(at, at + size);
      reader.push(chunk);
      chunk.fill(0xff);
    }
    reader.end();
  };
  return await throughBlock(write, 'objects', reviveCbor);
}

const rows = Array.from({ length: 300 }, (_, i) => ({
  id: i,
  name: `name ${i % 7}`,
  text: `text ${i} – é`,
  x: i / 3,
  none: i % 5 ? null : undefined,
  when: new Date(1_700_000_000_000 + i * 1001),
  large: 2n ** 60n + BigInt(i),
  bytes: Uint8Array.of(i & 255, 1),
  list: [i, [String(i)]],
}));

describe('block', () => {
  const ways: [string, object, CborOptions][] = [
    ['maps', { useRecords: false }, {}],
    ['records', { useRecords: true }, {}],
    ['packed values', { useRecords: false, pack: true }, {}],
    ['bundled strings', { useRecords: true, bundleStrings: true }, {}],
    ['Maps', { useRecords: false }, { maps: 'map' }],
  ];

  test.each(ways)('carries rows from %s', async (_, written, options) => {
    const bytes = new Uint8Array(new Encoder(written).encode({ rows }));
    const expected = decodeWith(cbor, bytes, { options });
    if (options.maps !== 'map') assertSame(expected, { rows });
    assertSame(await decodeByBlock(bytes, options), expected);
    assertSame(await decodeByBlock(bytes, options, 1000), expected);
  });

  test('carries shared and cyclic values', async () => {
    const root: Record<string, unknown> = { list: [1, { a: 1 }], when: new Date(5) };
    root['self'] = root;
    root['again'] = [root['list'], root['when']];
    const bytes = new Uint8Array(new Encoder({ structuredClone: true }).encode(root));
    assertSame(await decodeByBlock(bytes), root);
  });

  test('carries every kind of value that JSON lacks', async () => {
    const hex = `98 19
      c2 49 010000000000000000  3b ffffffffffffffff  c1 fb 41d452d9ec200000  c0 74 323031332d30332d32315432303a30343a30305a
      c4 82 21 19 6ab3  d9 0102 82 01 80  d8 20 72 687474703a2f2f6578616d706c652e6f7267
      d9 524a 82 61 61 61 67  d8 41 44 01020304  d8 52 48 3ff8000000000000  d8 50 42 3c00  5f 41 01 41 02 ff
      7f 61 61 62 c3a9 ff  f0  f8 ff  d8 63 82 01 a0  db 0020000000000000 f6  a1 01 02  a1 80 80
      d8 21 63 5f2d38  d9 0111 43 eda080  d9 0106 62 5b5d  d8 1b 82 65 4572726f72 61 78  f7  f9 8000`;
    const bytes = bytesOf(hex);
    const expected = decodeWith(cbor, bytes) as unknown[];
    expect(expected.length).toBe(25);
    assertSame(expected.at(13), new CborSimple(16));
    assertSame(expected.at(15), new CborTag(99, [1, {}]));
    assertSame(await decodeByBlock(bytes), expected);
    assertSame(await decodeByBlock(bytes, {}, 1), expected);
  });
});
