import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { PbfWriter } from 'pbf';
import { tripAt } from '../../../demo/server/data/trips.mjs';

/** Values that applications decode in a worker, and on the page. */
export const LARGE = { trips: Array.from({ length: 300 }, (_, index) => tripAt(index)) };
export const SMALL = { hello: 'world', list: [1, 2.5, null, true] };

const packr = new Packr({ useRecords: false });
const encoder = new Encoder({ useRecords: false, mapsAsObjects: true });

/** Some fields of the trips as Protocol Buffers: see `app/decode-one.js`. */
function protobuf(): Uint8Array {
  const writer = new PbfWriter();
  for (const trip of LARGE.trips) {
    writer.writeMessage(
      1,
      (row, message) => {
        message.writeStringField(1, row.ride_id);
        message.writeStringField(2, row.start_station_name);
        message.writeDoubleField(3, row.start_lat);
        message.writeDoubleField(4, row.start_lng);
      },
      trip,
    );
  }
  return writer.finish();
}

/** Files of a site with both values. */
export const PAYLOADS = {
  'large.msgpack': packr.pack(LARGE),
  'large.cbor': encoder.encode(LARGE),
  'large.pb': protobuf(),
  'large.json': JSON.stringify(LARGE),
  'small.msgpack': packr.pack(SMALL),
  'small.json': JSON.stringify(SMALL),
  'small.pb': Uint8Array.of(10, 5, 119, 111, 114, 108, 100, 18, 2, 2, 3),
  // Requested by browsers.
  'favicon.ico': '',
};
