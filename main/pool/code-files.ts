import type { BuiltIn, CodeName } from '../../worker/code.ts';

/**
 * URLs of the files from which a worker loads code; all other code is in the worker's own file. Bundlers recognise a file by
 * this exact expression: do not change it.
 */
export const FILES: Readonly<Record<Exclude<CodeName, BuiltIn>, () => URL>> = {
  // Written by `scripts/generate/formats.mjs` up to the line "// End".
  cbor: () => new URL('./formats/cbor.js', import.meta.url),
  avro: () => new URL('./formats/avro.js', import.meta.url),
  protobuf: () => new URL('./formats/protobuf.js', import.meta.url),
  flatbuffers: () => new URL('./formats/flatbuffers.js', import.meta.url),
  capnproto: () => new URL('./formats/capnproto.js', import.meta.url),
  bebop: () => new URL('./formats/bebop.js', import.meta.url),
  bson: () => new URL('./formats/bson.js', import.meta.url),
  sia: () => new URL('./formats/sia.js', import.meta.url),
  jsbinary: () => new URL('./formats/jsbinary.js', import.meta.url),
  arrow: () => new URL('./formats/arrow.js', import.meta.url),
  protojson: () => new URL('./formats/protojson.js', import.meta.url),
  // End
  zstd: () => new URL('./zstd.js', import.meta.url),
  shaping: () => new URL('./shaping.js', import.meta.url),
  'json-text': () => new URL('./json-text.js', import.meta.url),
};
