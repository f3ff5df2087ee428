import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import { compileType } from '../../../worker/formats/jsbinary/schema.ts';
import type { JsBinaryOptions } from '../../../worker/formats/jsbinary/index.ts';

/** What mutated inputs are decoded with: each in turn. */
export const options: readonly JsBinaryOptions[] = [{}, { int64: 'number', sequence: true }];

/** The type of all seeds: of each seed some bytes are something else by it, which is as good a mutation as any. */
export const schema = compileType({
  rows: [
    {
      id: 'uint',
      text: 'string',
      'when?': 'date',
      x: 'float',
      list: [['int']],
      'bytes?': 'Buffer',
      flag: 'boolean',
      'json?': 'json',
      oid: 'oid',
      pattern: 'regex',
      nothing: [{}],
    },
  ],
});

/** Inputs of the type, and of others. */
export function seeds(): Uint8Array[] {
  const trips = createTripSource(1);
  return [
    fromHex(ROWS),
    fromHex('00'),
    encodeRows('jsbinary', trips.rows(3), { key: 'trips', count: 3, dataset: 'trips' }),
    encodeRows('jsbinary', points(3), { key: 'items', count: 3, dataset: 'numbers' }),
  ];
}

const ROW =
  `05 03 616263 01 e000018bcfe56800 3ff8000000000000 02 02 01 bfff 01 c0000100 01 02 0102 01
  01 0d 7b2261223a5b312c6e756c6c5d7d`.replace('0d', '0e') + ' 0102030405060708090a0b0c 02 612b 05 03';
const ROWS = `02 ${ROW} 8100 00 00 0000000000000000 00 00 00 00 0102030405060708090a0b0c 00 00 00`;

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/\s/g, '').match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
