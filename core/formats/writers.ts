import type { JsonWriteOptions } from './json/options.ts';
import { JsonWriter } from './json/write/json-writer.ts';
import { isPlain } from './json/options.ts';
import type { MessagePackWriteOptions } from './messagepack/options.ts';
import { CoreWriter, needsRareValues } from './messagepack/write/core-writer.ts';
import type { FormatId } from '../format/format-id.ts';
import type { AnyFormatWriter, FormatWriter } from '../writing/writer.ts';

/** The JSON writer for common options, always loaded. */
const json: FormatWriter<JsonWriteOptions> = { id: 'json', createWriter: (options, limits) => new JsonWriter(options, limits) };
/** The MessagePack writer for common options, always loaded. */
const messagepack: FormatWriter<MessagePackWriteOptions> = { id: 'messagepack', createWriter: (options, limits) => new CoreWriter(options, limits) };

// Written by `scripts/generate/formats.mjs` up to the line "// End".
/** The code that writes each format with any options, for threads that can load code. */
const LOADERS: Readonly<Record<FormatId, () => Promise<{ default: unknown }>>> = {
  json: () => import('./json/writer.ts'),
  messagepack: () => import('./messagepack/writer.ts'),
  cbor: () => import('./cbor/writer.ts'),
  avro: () => import('./avro/writer.ts'),
  protobuf: () => import('./protobuf/writer.ts'),
  flatbuffers: () => import('./flatbuffers/writer.ts'),
  capnproto: () => import('./capnproto/writer.ts'),
  bebop: () => import('./bebop/writer.ts'),
  bson: () => import('./bson/writer.ts'),
  sia: () => import('./sia/writer.ts'),
  jsbinary: () => import('./jsbinary/writer.ts'),
  arrow: () => import('./arrow/writer.ts'),
  protojson: () => import('./protojson/writer.ts'),
};
// End

/**
 * Loads the code that writes a format with these options; without options, with any. The writers that pages use most are
 * always loaded.
 */
export async function loadWriter(id: FormatId, options?: object): Promise<AnyFormatWriter> {
  if (options && id === 'json' && isPlain(options)) return json;
  if (options && id === 'messagepack' && !needsRareValues(options)) return messagepack;
  return (await LOADERS[id]()).default as AnyFormatWriter;
}
