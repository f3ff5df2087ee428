import { createDecoder } from './unspool/inline.js';
import { decodeAll } from './decode-all.js';

globalThis.outcome = decodeAll(createDecoder()).then((all) => [Object.keys(all).length, all['large.msgpack'].route]);
