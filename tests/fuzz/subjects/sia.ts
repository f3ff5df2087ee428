import type { SiaOptions } from '../../../core/formats/sia/index.ts';
import sia from '../../../core/formats/sia/writer.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly SiaOptions[] = [{}, { int64: 'bigint', sequence: true }, { builtins: false, int64: 'string' }, { int64: 'number' }];

/** Valid inputs with every kind of block. */
export function seeds(): Uint8Array[] {
  const value = {
    rows: Array.from({ length: 4 }, (_, i) => ({ id: i, name: `name ${i}`, x: i / 3, when: new Date(i * 1e9), none: null })),
    text: ['größer', '漢字', '\0', 'x'.repeat(70), 'é'.repeat(300)],
    map: new Map<unknown, unknown>([
      [1, 2],
      ['a', new Set([new Map()])],
    ]),
    rest: [undefined, true, /a+/g, -1, -300, -70_000, 300, 70_000, 1e300],
  };
  return [encodeWith(sia, value), encodeWith(sia, [1, [2, [3]]]), ...HAND_MADE.map(fromHex)];
}

/** Blocks that none of the encoders writes. */
const HAND_MADE = [
  '2f 08 05 ffffffffffffffff 06 01000000000000000000000000000080 07 03 010203 0b 0000000000000080 0c ffffffffffffffffffffffffffffffff 0d 02 00ff 0f 003c 12 5555555555555555555555555555fd3f',
  '30 0600 1f 0200000000000000 c3a9 21 01 02 c3a9 22 02 0102 27 01 02 0102 2a e8030000 2b 00e40b5402000000',
  '2f 05 14 2f 01 15 00 14 1c 01 61 15 00 15 01 2d 2c01 2f02 02 01 2f00',
  '34 1b01 61 14 02 05 16 0000 15 01 17 00000000 19 00000000000000000000000000000000 35',
];

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/\s/g, '').match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
