import { Encoder, ExtensionCodec } from '@msgpack/msgpack';
import { Packr } from 'msgpackr';
import type { MessagePackOptions } from '../../../core/formats/messagepack/index.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly MessagePackOptions[] = [
  {},
  { maps: 'map', int64: 'string' },
  { int64: 'bigint', float32: 'decimal', sequence: true },
  { msgpackr: false, int64: 'number' },
  { structures: [['a', 'b'], null, ['c']] },
];

/** Valid inputs of every kind. */
export function seeds(): Uint8Array[] {
  const rows = Array.from({ length: 5 }, (_, i) => ({ id: i, name: `name ${i}`, x: i / 3, when: new Date(i * 1e9 + 1), none: null }));
  const plain = { rows, text: ['größer', '🚲', 'x'.repeat(40), 'y'.repeat(300)], numbers: [1, -1, 200, -200, 7e4, -7e4, 2 ** 40, 0.5, 1e300] };
  const rich: Record<string, unknown> = {
    ...plain,
    large: [2n ** 63n, -(2n ** 62n), 2n ** 80n],
    set: new Set([1, 'a', null]),
    map: new Map<unknown, unknown>([
      [1, 2],
      ['a', [new Map()]],
    ]),
    rest: [/a+/g, new TypeError('wrong'), undefined, Uint8Array.of(1, 2), Float64Array.of(1.5, NaN), new ArrayBuffer(3)],
  };
  const cyclic: Record<string, unknown> = { ...rich, again: rows };
  cyclic['self'] = cyclic;
  const settings: object[] = [
    { useRecords: false, variableMapSize: true },
    { useRecords: true },
    { useRecords: true, bundleStrings: true },
    { useRecords: false, bundleStrings: true },
    { useRecords: true, useFloat32: 3 },
  ];
  const codec = new ExtensionCodec();
  return [
    ...settings.map((setting) => new Uint8Array(new Packr(setting).pack(plain))),
    new Uint8Array(new Packr({ moreTypes: true, structuredClone: true, useBigIntExtension: true }).pack(cyclic)),
    new Uint8Array(new Packr({ structuredClone: true }).pack([doubled(8), rows, rows])),
    new Encoder({ extensionCodec: codec, useBigInt64: true }).encode({ ...plain, i: 2n ** 62n, bytes: Uint8Array.of(1, 2, 3) }),
    Uint8Array.from([0xd6, 0xff, 0, 0, 0, 1, 0xc7, 3, 5, 1, 2, 3, 0xdd, 0, 0, 0, 1, 0xc0]),
  ];
}

/** Inputs that are large when written as trees. */
export function shared(): Uint8Array[] {
  return [new Uint8Array(new Packr({ structuredClone: true, useRecords: false }).pack(doubled(24)))];
}

/** Lists that contain one list twice, so that a tree doubles with each level. */
function doubled(levels: number): unknown {
  let value: unknown = { leaf: 'x' };
  for (let level = 0; level < levels; level += 1) value = level % 4 === 3 ? { a: value, b: value } : [value, value];
  return value;
}
