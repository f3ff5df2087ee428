import { align } from '../../../block/block-file.ts';
import type { BatchParts } from './column-builder.ts';
import { BINARY, BOOL, type ColumnType, DICTIONARY, FLOAT, INT, LIST, MAP, STRUCT, TIMESTAMP, UTF8 } from './column-type.ts';
import { FlatBuilder } from './flat-builder.ts';

/** MetadataVersion.V5 */
const VERSION = 4;
const SCHEMA = 1;
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;
const DOUBLE = 2;
const MILLISECOND = 1;

/** A message in a file: its position, the bytes of its metadata with their prefix, and those of its body. */
export interface Block {
  readonly offset: number;
  readonly metadata: number;
  readonly body: number;
  readonly isDictionary: boolean;
}

/** The message of a schema, whose columns are the fields of a struct. */
export function schemaMessage(rows: ColumnType): Uint8Array<ArrayBuffer> {
  const builder = new FlatBuilder();
  return message(builder, SCHEMA, schema(builder, rows), 0);
}

/**
 * The message of a record batch, or of the dictionary with an id, and the bytes of its body. Each buffer takes a multiple of 8
 * bytes.
 */
export function batchMessage(rows: number, { nodes, buffers }: BatchParts, dictionary?: number): { metadata: Uint8Array<ArrayBuffer>; body: number } {
  const builder = new FlatBuilder();
  let body = 0;
  const ranges = buffers.map(({ length }) => {
    const range = [body, length];
    body += align(length);
    return range;
  });
  const rangesAt = builder.structs(ranges);
  const nodesAt = builder.structs(nodes);
  // table RecordBatch { length, nodes, buffers }
  builder.startTable();
  builder.int64(0, rows);
  builder.offset(1, nodesAt);
  builder.offset(2, rangesAt);
  const batch = builder.endTable();
  if (dictionary === undefined) return { metadata: message(builder, RECORD_BATCH, batch, body), body };
  // table DictionaryBatch { id, data }
  builder.startTable();
  builder.int64(0, dictionary);
  builder.offset(1, batch);
  return { metadata: message(builder, DICTIONARY_BATCH, builder.endTable(), body), body };
}

/** The footer of a file. */
export function footer(rows: ColumnType, blocks: readonly Block[]): Uint8Array<ArrayBuffer> {
  const builder = new FlatBuilder();
  // struct Block { offset, metaDataLength: int32, bodyLength }
  const structs = (wanted: boolean): number =>
    builder.structs(blocks.filter(({ isDictionary }) => isDictionary === wanted).map(({ offset, metadata, body }) => [offset, metadata, body]));
  const batches = structs(false);
  const dictionaries = structs(true);
  const schemaAt = schema(builder, rows);
  // table Footer { version, schema, dictionaries, recordBatches }
  builder.startTable();
  builder.int16(0, VERSION);
  builder.offset(1, schemaAt);
  builder.offset(2, dictionaries);
  builder.offset(3, batches);
  return builder.finish(builder.endTable());
}

// table Message { version, header_type, header, bodyLength }
function message(builder: FlatBuilder, type: number, header: number, body: number): Uint8Array<ArrayBuffer> {
  builder.startTable();
  builder.int64(3, body);
  builder.offset(2, header);
  builder.int16(0, VERSION);
  builder.int8(1, type);
  return builder.finish(builder.endTable());
}

// table Schema { endianness, fields }
function schema(builder: FlatBuilder, rows: ColumnType): number {
  const fields = builder.offsets([...rows.fields].map(([name, type]) => field(builder, name, type)));
  builder.startTable();
  builder.offset(1, fields);
  return builder.endTable();
}

// table Field { name, nullable, type_type, type, dictionary, children }
function field(builder: FlatBuilder, name: string, type: ColumnType, isNullable = true): number {
  const written = valuesOf(type);
  const inner = [...type.fields];
  const children = written === MAP ? [entries(builder, type)] : inner.map(([key, child]) => field(builder, key, child));
  const childrenAt = builder.offsets(children);
  const typeAt = typeTable(builder, type);
  const encoding = type.dictionary && encodingTable(builder, type.dictionary);
  return fieldTable(builder, builder.string(name), written, typeAt, childrenAt, isNullable, encoding);
}

/** The id of a column's type; of a dictionary, that of its values. */
function valuesOf({ written }: ColumnType): number {
  return written === DICTIONARY ? UTF8 : written;
}

// table DictionaryEncoding { id, indexType }
function encodingTable(builder: FlatBuilder, { id, width }: NonNullable<ColumnType['dictionary']>): number {
  // table Int { bitWidth, is_signed }
  builder.startTable();
  builder.int32(0, width * 8);
  builder.int8(1, 1);
  const index = builder.endTable();
  builder.startTable();
  builder.int64(0, id);
  builder.offset(1, index);
  return builder.endTable();
}

function fieldTable(builder: FlatBuilder, name: number, id: number, type: number, children: number, isNullable: boolean, encoding?: number): number {
  builder.startTable();
  builder.offset(0, name);
  builder.int8(1, isNullable ? 1 : 0);
  builder.int8(2, id);
  builder.offset(3, type);
  if (encoding !== undefined) builder.offset(4, encoding);
  builder.offset(5, children);
  return builder.endTable();
}

/** The field of a map's entries. Keys are never null. */
function entries(builder: FlatBuilder, type: ColumnType): number {
  const children = builder.offsets([field(builder, 'key', type.field('key'), false), field(builder, 'value', type.field('value'))]);
  builder.startTable();
  const struct = builder.endTable();
  return fieldTable(builder, builder.string('entries'), STRUCT, struct, children, false);
}

function typeTable(builder: FlatBuilder, type: ColumnType): number {
  const zone = type.written === TIMESTAMP ? builder.string('UTC') : 0;
  builder.startTable();
  switch (type.written) {
    case INT:
      builder.int32(0, type.isLong ? 64 : 32);
      builder.int8(1, type.isUnsigned ? 0 : 1);
      break;
    case FLOAT:
      builder.int16(0, DOUBLE);
      break;
    case TIMESTAMP:
      builder.int16(0, MILLISECOND);
      builder.offset(1, zone);
      break;
    // Tables without fields.
    case BINARY:
    case UTF8:
    case BOOL:
    case LIST:
    case STRUCT:
    case MAP:
    default:
  }
  return builder.endTable();
}
