// All encoding contenders, in the order of the tables. A new library is a line here and a file.

/** @typedef {import('./contender.js').EncodingContender} EncodingContender */

/** Every format, as the cases name it. */
const ALL = [
  'json',
  'messagepack',
  'messagepack-records',
  'messagepack-bundled',
  'cbor',
  'cbor-records',
  'avro',
  'protobuf',
  'bson',
  'bebop',
  'flatbuffers',
  'capnproto',
  'sia',
  'jsbinary',
];

/** Formats of streams: text, and bytes without and with a schema. */
const STREAMED = ['json', 'messagepack', 'avro'];

/** @type {readonly EncodingContender[]} */
export const ENCODING_FIELD = [
  { id: 'json-stringify', label: 'JSON.stringify and TextEncoder', kind: 'baseline', formats: ['json'] },
  { id: 'msgpackr', label: 'msgpackr', kind: 'library', formats: ['messagepack', 'messagepack-records', 'messagepack-bundled'] },
  { id: 'msgpack-msgpack', label: '@msgpack/msgpack', kind: 'library', formats: ['messagepack'] },
  { id: 'msgpack-lite', label: 'msgpack-lite', kind: 'library', formats: ['messagepack'] },
  { id: 'notepack', label: 'notepack.io', kind: 'library', formats: ['messagepack'] },
  { id: 'cbor-x', label: 'cbor-x', kind: 'library', formats: ['cbor', 'cbor-records'] },
  { id: 'cbor2', label: 'cbor2', kind: 'library', formats: ['cbor'] },
  { id: 'avsc', label: 'avsc 5', kind: 'library', formats: ['avro'] },
  { id: 'avsc6', label: 'avsc 6 alpha', kind: 'library', formats: ['avro'] },
  { id: 'bufbuild', label: '@bufbuild/protobuf', kind: 'library', formats: ['protobuf'] },
  { id: 'google-protobuf', label: 'google-protobuf', kind: 'library', formats: ['protobuf'] },
  { id: 'pbf', label: 'pbf, generated', kind: 'library', formats: ['protobuf'] },
  { id: 'protobufjs-reflection', label: 'protobufjs, reflection', kind: 'library', formats: ['protobuf'] },
  { id: 'protobufjs-static', label: 'protobufjs, static code', kind: 'library', formats: ['protobuf'] },
  { id: 'protons', label: 'protons, generated', kind: 'library', formats: ['protobuf'] },
  { id: 'bson', label: 'bson', kind: 'library', formats: ['bson'] },
  { id: 'bebop', label: 'bebop, generated', kind: 'library', formats: ['bebop'] },
  { id: 'flatbuffers', label: 'flatbuffers, generated', kind: 'library', formats: ['flatbuffers'] },
  { id: 'capnp-es', label: 'capnp-es, generated', kind: 'library', formats: ['capnproto'] },
  { id: 'sializer', label: 'sializer', kind: 'library', formats: ['sia'] },
  { id: 'js-binary', label: 'js-binary', kind: 'library', formats: ['jsbinary'] },
  { id: 'unspool', label: 'Unspool', kind: 'unspool', formats: ALL },
  { id: 'unspool-array', label: 'Unspool, one array', kind: 'unspool', formats: ALL },
  { id: 'unspool-slices', label: 'Unspool, in slices', kind: 'unspool', formats: ALL },
  { id: 'unspool-stream', label: 'Unspool, stream of a list', kind: 'unspool', formats: STREAMED },
  { id: 'unspool-stream-items', label: 'Unspool, stream of items', kind: 'unspool', formats: STREAMED },
];
