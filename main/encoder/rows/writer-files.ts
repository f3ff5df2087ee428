import type { FormatId } from '../../../core/format/format-id.ts';

/**
 * Files of the format writers for a worker. Bundlers recognise a file of the application by this exact expression; do
 * not change it.
 */
const FILES: Readonly<Record<FormatId | 'rows', () => URL>> = {
  rows: () => new URL('./rows-writer.js', import.meta.url),
  // Written by `scripts/generate/formats.mjs` up to the line "// End".
  json: () => new URL('./encoders/json.js', import.meta.url),
  messagepack: () => new URL('./encoders/messagepack.js', import.meta.url),
  cbor: () => new URL('./encoders/cbor.js', import.meta.url),
  avro: () => new URL('./encoders/avro.js', import.meta.url),
  protobuf: () => new URL('./encoders/protobuf.js', import.meta.url),
  flatbuffers: () => new URL('./encoders/flatbuffers.js', import.meta.url),
  capnproto: () => new URL('./encoders/capnproto.js', import.meta.url),
  bebop: () => new URL('./encoders/bebop.js', import.meta.url),
  bson: () => new URL('./encoders/bson.js', import.meta.url),
  sia: () => new URL('./encoders/sia.js', import.meta.url),
  jsbinary: () => new URL('./encoders/jsbinary.js', import.meta.url),
  arrow: () => new URL('./encoders/arrow.js', import.meta.url),
  protojson: () => new URL('./encoders/protojson.js', import.meta.url),
  // End
};

/** URL of the file with a format's writer, or with the writer of `Rows`. */
export function writerFile(name: FormatId | 'rows'): string {
  return FILES[name]().href;
}
