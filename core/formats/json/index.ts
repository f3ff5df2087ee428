import type { Format } from '../format.ts';
import { JsonReader } from './reader.ts';
import type { JsonOptions } from './options.ts';

export type { JsonOptions } from './options.ts';

const json: Format<JsonOptions> = {
  id: 'json',
  createReader: (sink, options, limits) => new JsonReader(sink, options, limits),
};

export default json;
