// All contenders, in the order of the tables. A new library is a file and a line here.
import { contender as jsonParse } from './baselines/json-parse.js';
import { contender as msgpackMsgpack } from './self-describing/msgpack-msgpack.js';
import { contender as msgpackr } from './self-describing/msgpackr.js';
import { contender as unspoolObjects } from './unspool/unspool-objects.js';
import { contender as unspoolRows } from './unspool/unspool-rows.js';
import { contender as workerClone } from './baselines/worker-clone.js';

/** @type {readonly import('./contender.js').Contender[]} */
export const CONTENDERS = [jsonParse, msgpackr, msgpackMsgpack, workerClone, unspoolRows, unspoolObjects];
