// The contenders that the bake-off adds to those of `index.js`.
import { contender as avsc } from './with-schema/avsc.js';
import { contender as avsc6 } from './with-schema/avsc6.js';
import { contender as bebop } from './with-schema/bebop.js';
import { contender as bson } from './self-describing/bson.js';
import { contender as bufbuild } from './with-schema/bufbuild.js';
import { contender as capnpEs } from './with-schema/capnp-es.js';
import { contender as cborX } from './self-describing/cbor-x.js';
import { contender as cbor2 } from './self-describing/cbor2.js';
import { contender as flatbuffers } from './with-schema/flatbuffers.js';
import { contender as googleProtobuf } from './with-schema/google-protobuf.js';
import { contender as jsBinary } from './with-schema/js-binary.js';
import { contender as msgpackLite } from './self-describing/msgpack-lite.js';
import { contender as notepack } from './self-describing/notepack.js';
import { contender as pbf } from './with-schema/pbf.js';
import { contender as protobufjsReflection } from './with-schema/protobufjs-reflection.js';
import { contender as protobufjsStatic } from './with-schema/protobufjs-static.js';
import { contender as protons } from './with-schema/protons.js';
import { contender as sializer } from './self-describing/sializer.js';

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
