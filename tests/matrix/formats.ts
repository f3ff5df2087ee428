import type { FormatId } from '../../core/format/format-id.ts';
import { again, arrowBatches, avroBlocks, avroField, bebopField, bsonList, countedBy, jsonList, type Repeats } from './endless.ts';
import { AVRO, BEBOP, CAPNPROTO, DESCRIPTORS, FLATBUFFERS, JSBINARY, PROTOBUF } from './schemas.ts';

/**
 * The values that a format can hold, by which shapes are made for it: any value, any within a document, items of a list alone; trees of one
 * schema, and flat ones; lists of trees; tables.
 */
export type Holds = 'values' | 'documents' | 'items' | 'trees' | 'flat trees' | 'lists of trees' | 'lists of flat trees' | 'tables';

/** A line of the matrix: a format, as it is written and read. */
export interface FormatLine {
  readonly name: string;
  readonly id: FormatId;
  readonly holds: Holds;
  /** The schema, as `compileSchema` and the option `schema` take it. */
  readonly schema?: unknown;
  readonly options?: object;
  readonly writing?: object;
  /** How its list goes on without end; undefined if it cannot. */
  readonly repeats?: Repeats;
  /** True if a whole payload is read in another order than a stream, which may then find another of its faults. */
  readonly isOutOfOrder?: boolean;
  /** True if keys come in the order of the payload in JSON text, while objects have them in that of the schema. */
  readonly isUnordered?: boolean;
}

const sequence = { options: { sequence: true }, writing: { sequence: true }, repeats: again };
/** Compressed by a codec of the library. */
const deflated = { framing: 'container', codec: 'deflate' };

export const FORMATS: readonly FormatLine[] = [
  { name: 'JSON', id: 'json', holds: 'values', repeats: jsonList },
  { name: 'JSON lines', id: 'json', holds: 'items', ...sequence },
  { name: 'MessagePack', id: 'messagepack', holds: 'values', repeats: countedBy(0xdd) },
  { name: 'MessagePack with records', id: 'messagepack', holds: 'values', writing: { records: true }, repeats: countedBy(0xdd) },
  { name: 'a MessagePack sequence', id: 'messagepack', holds: 'items', ...sequence },
  { name: 'CBOR', id: 'cbor', holds: 'values', repeats: countedBy(0x9a) },
  { name: 'CBOR with records', id: 'cbor', holds: 'values', writing: { records: true }, repeats: countedBy(0x9a) },
  { name: 'a CBOR sequence', id: 'cbor', holds: 'items', ...sequence },
  { name: 'BSON', id: 'bson', holds: 'documents', repeats: bsonList },
  { name: 'Sia', id: 'sia', holds: 'values', repeats: countedBy(0x31, true) },
  { name: 'Avro', id: 'avro', holds: 'trees', schema: AVRO, options: { framing: 'datum' }, writing: { framing: 'datum' }, repeats: avroField },
  { name: 'an Avro container', id: 'avro', holds: 'lists of trees', schema: AVRO, writing: { framing: 'container' }, repeats: avroBlocks },
  { name: 'a compressed Avro container', id: 'avro', holds: 'lists of trees', schema: AVRO, writing: deflated, repeats: avroBlocks },
  { name: 'Protocol Buffers', id: 'protobuf', holds: 'trees', schema: PROTOBUF, repeats: again },
  { name: 'Protocol Buffers in sequence', id: 'protobuf', holds: 'lists of trees', schema: PROTOBUF, ...sequence },
  { name: 'Protocol Buffers by descriptors', id: 'protobuf', holds: 'trees', schema: DESCRIPTORS, repeats: again },
  { name: 'ProtoJSON', id: 'protojson', holds: 'trees', schema: PROTOBUF, isUnordered: true },
  { name: 'lines of ProtoJSON', id: 'protojson', holds: 'lists of trees', schema: PROTOBUF, ...sequence, isUnordered: true },
  { name: 'FlatBuffers', id: 'flatbuffers', holds: 'trees', schema: FLATBUFFERS },
  { name: 'FlatBuffers in sequence', id: 'flatbuffers', holds: 'lists of trees', schema: FLATBUFFERS, ...sequence },
  { name: 'Cap’n Proto', id: 'capnproto', holds: 'trees', schema: CAPNPROTO, options: { packed: false } },
  { name: 'packed Cap’n Proto', id: 'capnproto', holds: 'trees', schema: CAPNPROTO, options: { packed: true }, writing: { packed: true } },
  { name: 'Bebop', id: 'bebop', holds: 'trees', schema: BEBOP, repeats: bebopField },
  { name: 'Bebop in sequence', id: 'bebop', holds: 'lists of trees', schema: BEBOP, ...sequence },
  { name: 'js-binary', id: 'jsbinary', holds: 'flat trees', schema: JSBINARY },
  { name: 'js-binary in sequence', id: 'jsbinary', holds: 'lists of flat trees', schema: JSBINARY, ...sequence },
  { name: 'Arrow', id: 'arrow', holds: 'tables', repeats: arrowBatches },
  { name: 'an Arrow file', id: 'arrow', holds: 'tables', writing: { framing: 'file', batchRows: 100 }, isOutOfOrder: true },
];
