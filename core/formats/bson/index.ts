import { BsonReader } from './reader.ts';
import { KERNEL } from './kernel.ts';
import { reviveBson } from './revive.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type BsonOptions } from './options.ts';

export type { BsonOptions } from './options.ts';

export { BsonValue, createReviveTag, type BsonClasses } from './revive.ts';

/** BSON 1.1 (https://bsonspec.org/spec.html). Keys of arrays are ignored: only the order of the items counts. */
const bson: Format<BsonOptions> = {
  id: 'bson',
  options: READ_OPTIONS,
  createReader: (sink, options, limits) => new BsonReader(sink, options, limits),
  kernel: KERNEL,
  revive: reviveBson,
};

export default bson;
