import { createTripSource } from '../../../demo/server/data/trips.mjs';
import jsbinary from '../../../core/formats/jsbinary/writer.ts';
import { compileType } from '../../../core/formats/jsbinary/schema.ts';
import type { JsBinaryOptions } from '../../../core/formats/jsbinary/index.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly JsBinaryOptions[] = [{}, { int64: 'number', sequence: true }];

/** The type of all seeds. Seeds of other types act as mutations. */
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

/** Inputs of this type and of others. */
export function seeds(): Uint8Array[] {
  const trips = createTripSource(1).take(3);
  const ofTrips = compileType([{ ride_id: 'string', start_lat: 'float', 'end_lat?': 'float', start_station_name: 'string' }]);
  const ofNumbers = compileType({ items: [{ x: 'float', y: 'int' }] });
  return [
    fromHex(ROWS),
    fromHex('00'),
    encodeWith(jsbinary, trips, { schema: ofTrips, options: { extraKeys: 'skip' } }),
    encodeWith(jsbinary, { items: trips.map(({ start_lat }, y) => ({ x: start_lat, y })) }, { schema: ofNumbers }),
  ];
}

const ROW =
  `05 03 616263 01 e000018bcfe56800 3ff8000000000000 02 02 01 bfff 01 c0000100 01 02 0102 01
  01 0d 7b2261223a5b312c6e756c6c5d7d`.replace('0d', '0e') + ' 0102030405060708090a0b0c 02 612b 05 03';
const ROWS = `02 ${ROW} 8100 00 00 0000000000000000 00 00 00 00 0102030405060708090a0b0c 00 00 00`;

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/\s/g, '').match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
