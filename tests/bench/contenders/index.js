// The table of contenders, in the order of the tables and charts. A further library is one file and one line here.
import { contender as jsonParse } from './json-parse.js';
import { contender as msgpackMsgpack } from './msgpack-msgpack.js';
import { contender as msgpackr } from './msgpackr.js';
import { contender as unspoolObjects } from './unspool-objects.js';
import { contender as unspoolReaders } from './unspool-readers.js';
import { contender as unspoolRows } from './unspool-rows.js';
import { contender as workerChunked } from './worker-chunked.js';
import { contender as workerClone } from './worker-clone.js';

/** @type {readonly import('./contender.js').Contender[]} */
export const CONTENDERS = [jsonParse, msgpackr, msgpackMsgpack, workerClone, workerChunked, unspoolRows, unspoolReaders, unspoolObjects];
