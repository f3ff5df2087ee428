// The libraries that the bake-off adds to those of `index.js`.
import { contender as avsc } from './avsc.js';
import { contender as avsc6 } from './avsc6.js';
import { contender as bebop } from './bebop.js';
import { contender as bson } from './bson.js';
import { contender as bufbuild } from './bufbuild.js';
import { contender as capnpEs } from './capnp-es.js';
import { contender as cborX } from './cbor-x.js';
import { contender as cbor2 } from './cbor2.js';
import { contender as flatbuffers } from './flatbuffers.js';
import { contender as googleProtobuf } from './google-protobuf.js';
import { contender as jsBinary } from './js-binary.js';
import { contender as msgpackLite } from './msgpack-lite.js';
import { contender as notepack } from './notepack.js';
import { contender as pbf } from './pbf.js';
import { contender as protobufjsReflection } from './protobufjs-reflection.js';
import { contender as protobufjsStatic } from './protobufjs-static.js';
import { contender as protons } from './protons.js';
import { contender as sializer } from './sializer.js';

/** @type {readonly import('./contender.js').Contender[]} */
export const FIELD = [
  avsc,
  avsc6,
  bebop,
  bson,
  bufbuild,
  capnpEs,
  cborX,
  cbor2,
  flatbuffers,
  googleProtobuf,
  jsBinary,
  msgpackLite,
  notepack,
  pbf,
  protobufjsReflection,
  protobufjsStatic,
  protons,
  sializer,
];
