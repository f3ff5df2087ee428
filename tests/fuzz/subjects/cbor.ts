import { Encoder } from 'cbor-x';
import { encode } from 'cbor2';
import type { CborOptions } from '../../../core/formats/cbor/index.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly CborOptions[] = [
  {},
  { maps: 'map', int64: 'string', embedded: 'value', decimals: 'tag' },
  { maps: 'object', int64: 'number', float32: 'decimal', sequence: true },
  { cborx: false, deterministic: 'bytewise' },
  { structures: [['a', 'b'], null, ['c']], packedValues: ['shared', 5, 'other'] },
];

/** Valid inputs of every kind. */
export function seeds(): Uint8Array[] {
  const rows = Array.from({ length: 5 }, (_, i) => ({ id: i, name: `name ${i}`, x: i / 3, when: new Date(i * 1e9), none: null }));
  const rich: Record<string, unknown> = {
    rows,
    text: ['repeated', 'repeated', 'größer', 'größer', '🚲'],
    map: new Map<unknown, unknown>([
      [1, 2],
      ['a', [new Map()]],
    ]),
    set: new Set([1, 'a', null]),
    large: [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 80n],
    binary: [Uint8Array.of(1, 2, 3), Float64Array.of(1.5, NaN), Int16Array.of(-2)],
    rest: [/a+/g, new TypeError('wrong'), undefined, true, 1e300, -0, 65504],
  };
  const shared: Record<string, unknown> = { ...rich, again: rich['rows'] };
  shared['self'] = shared;
  const written: [object, unknown][] = [
    [{ useRecords: false }, rich],
    [{ useRecords: false, variableMapSize: true, useFloat32: 3 }, rich],
    [{ useRecords: true }, rich],
    [{ useRecords: true, pack: true }, rich],
    [{ useRecords: false, bundleStrings: true }, rich],
    [{ useRecords: true, bundleStrings: true }, rich],
    [{ useRecords: true, structuredClone: true }, shared],
    [{ useSelfDescribedHeader: true }, rows],
    [{ useRecords: true, structuredClone: true }, [doubled(8), rows, rows]],
  ];
  return [
    ...written.map(([settings, value]) => new Uint8Array(new Encoder(settings).encode(value))),
    encode([new Date(0), new URL('http://example.org/'), /x/i, 2n ** 70n, { a: [1.5, { b: 'c' }] }]),
    ...HAND_MADE.map(fromHex),
  ];
}

/** Inputs that are large when written as trees. */
export function shared(): Uint8Array[] {
  return [new Uint8Array(new Encoder({ useRecords: false, structuredClone: true }).encode(doubled(24)))];
}

/** Lists that contain one list twice, so that a tree doubles with each level. */
function doubled(levels: number): unknown {
  let value: unknown = { leaf: 'x' };
  for (let level = 0; level < levels; level += 1) value = level % 4 === 3 ? { a: value, b: value } : [value, value];
  return value;
}

/** Forms that none of the encoders writes. */
const HAND_MADE = [
  '9f 01 bf 61 61 9f 02 ff 61 62 7f 61 63 62 c3a9 ff ff 5f 42 0102 40 41 03 ff f9 3e00 ff',
  '88 c4 82 21 19 6ab3 c5 82 20 03 c0 74 323031332d30332d32315432303a30343a30305a d9 03ec 6a 313934302d31302d3039 d8 64 19 4e20 d8 21 63 5f2d38 d8 23 62 612b d8 18 43 82 01 02',
  'd9 d9f7 84 d8 41 44 01020304 d8 52 48 3ff8000000000000 d8 50 44 3c00c000 d8 63 82 01 f0',
  '83 d8 1c 61 61 d8 1d 00 d8 1c 82 d8 1d 01 05',
  'd8 33 84 83 64 7a65726f 18 2a f6 80 80 84 e0 e1 e2 a1 e0 c1 01',
  '82 d9 dfff 84 19 e000 82 61 61 61 62 01 02 d9 e000 82 03 d9 e000 81 04',
  'd9 dffe 84 19 e000 81 61 63 82 61 61 61 62 82 d9 e001 82 01 02 d9 e000 81 03',
];

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/\s/g, '').match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
