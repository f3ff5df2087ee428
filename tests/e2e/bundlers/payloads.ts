import { Packr } from 'msgpackr';
import { tripAt } from '../../../demo/server/data/trips.mjs';

/** What applications decode in a worker, and what in place. */
export const LARGE = { trips: Array.from({ length: 300 }, (_, index) => tripAt(index)) };
export const SMALL = { hello: 'world', list: [1, 2.5, null, true] };

const packr = new Packr({ useRecords: false });

/** Both as files of a site. */
export const PAYLOADS = {
  'large.msgpack': packr.pack(LARGE),
  'large.json': JSON.stringify(LARGE),
  'small.msgpack': packr.pack(SMALL),
  'small.json': JSON.stringify(SMALL),
  'small.pb': Uint8Array.of(10, 5, 119, 111, 114, 108, 100, 18, 2, 2, 3),
  // Browsers ask for it.
  'favicon.ico': '',
};
