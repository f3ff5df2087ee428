import type { FormatWriter } from '../writer.ts';
import { JsonWriter } from './json-writer.ts';
import type { JsonWriteOptions } from './options.ts';
import { encodeSmall } from './small.ts';

export type { JsonWriteOptions } from './options.ts';

const json: FormatWriter<JsonWriteOptions> = {
  createWriter: (options, limits) => new JsonWriter(options, limits),
  encodeSmall,
};

export default json;
