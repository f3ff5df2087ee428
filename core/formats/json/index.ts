import type { Format } from '../../format/format.ts';
import { JsonReader } from './reader.ts';
import { READ_OPTIONS, type JsonOptions } from './options.ts';

export type { JsonOptions } from './options.ts';

const json: Format<JsonOptions> = {
  options: READ_OPTIONS,
  id: 'json',
  createReader: (sink, options, limits) => new JsonReader(sink, options, limits),
};

export default json;
