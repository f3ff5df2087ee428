import type { FormatWriter } from '../../writing/writer.ts';
import { JsonWriter } from './write/json-writer.ts';
import type { JsonWriteOptions } from './options.ts';
import { OptionsWriter } from './write/options-writer.ts';
import { isPlain } from './plain-options.ts';
import { encodeSmall } from './read/small.ts';

export type { JsonWriteOptions } from './options.ts';

const json: FormatWriter<JsonWriteOptions> = {
  id: 'json',
  createWriter: (options, limits) => (isPlain(options) ? new JsonWriter(options, limits) : new OptionsWriter(options, limits)),
  encodeSmall,
};

export default json;
