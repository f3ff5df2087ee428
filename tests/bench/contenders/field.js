// The libraries that the bake-off adds to those of `index.js`.
import { contender as bson } from './bson.js';
import { contender as bufbuild } from './bufbuild.js';
import { contender as cborX } from './cbor-x.js';
import { contender as cbor2 } from './cbor2.js';
import { contender as flatbuffers } from './flatbuffers.js';
import { contender as googleProtobuf } from './google-protobuf.js';
import { contender as msgpackLite } from './msgpack-lite.js';
import { contender as notepack } from './notepack.js';
import { contender as pbf } from './pbf.js';
import { contender as protobufjsReflection } from './protobufjs-reflection.js';
import { contender as protobufjsStatic } from './protobufjs-static.js';

/** @type {readonly import('./contender.js').Contender[]} */
export const FIELD = [
  bson,
  bufbuild,
  cborX,
  cbor2,
  flatbuffers,
  googleProtobuf,
  msgpackLite,
  notepack,
  pbf,
  protobufjsReflection,
  protobufjsStatic,
];
