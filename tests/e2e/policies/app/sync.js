import avro from './unspool/formats/avro.js';
import bebop from './unspool/formats/bebop.js';
import bson from './unspool/formats/bson.js';
import capnproto from './unspool/formats/capnproto.js';
import cbor from './unspool/formats/cbor.js';
import flatbuffers from './unspool/formats/flatbuffers.js';
import jsbinary from './unspool/formats/jsbinary.js';
import json from './unspool/formats/json.js';
import messagepack from './unspool/formats/messagepack.js';
import protobuf from './unspool/formats/protobuf.js';
import sia from './unspool/formats/sia.js';
import { compileSchema, decodeSync } from './unspool/sync.js';

/** By format: a schema, if needed, and a payload. */
const cases = [
  [json, undefined, [0x5b, 0x31, 0x5d]],
  [messagepack, undefined, [0x91, 1]],
  [cbor, undefined, [0x81, 1]],
  [bson, undefined, [12, 0, 0, 0, 0x10, 0x61, 0, 1, 0, 0, 0, 0]],
  [sia, undefined, [0x2f, 1, 0]],
  [avro, { type: 'array', items: 'int' }, [2, 2, 0]],
  [protobuf, { proto: 'syntax = "proto3"; message A { int32 a = 1; }', message: 'A' }, [8, 1]],
  [bebop, { bop: 'struct A { int32 a; }', record: 'A' }, [1, 0, 0, 0]],
  [jsbinary, { a: 'uint' }, [1]],
];

async function run() {
  const values = [];
  for (const [format, definition, bytes] of cases) {
    const schema = definition && (await compileSchema(format, definition));
    values.push(decodeSync(format, Uint8Array.from(bytes), { schema }));
  }
  // Schemas of these formats are compiled files.
  const readers = [flatbuffers, capnproto].map(({ createReader }) => typeof createReader);
  return [...values, ...readers];
}

globalThis.outcome = run();
