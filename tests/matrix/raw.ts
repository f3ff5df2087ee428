import * as arrow from 'apache-arrow';
import { Builder } from 'flatbuffers';
import { type Message, messageAt } from '../../core/formats/arrow/read/framing.ts';
import { container } from '../unit/core/formats/avro/bytes.ts';
import { AVRO } from './schemas.ts';
import type { Raw, Shape } from './shapes.ts';

/**
 * Bytes that no writer of the library writes: what a format has for few bytes to stand for much, or to be read out of order; and what
 * looks like more than it is. A line has the formats that have it.
 */
export const RAW: readonly Shape[] = [
  { name: 'brackets that never end', size: 1_500, raw: { JSON: ofText((size) => '['.repeat(size)) } },
  {
    name: 'deep brackets around strings of brackets',
    size: 1_000,
    raw: { JSON: ofText((size) => `${'['.repeat(900)}${JSON.stringify(Array.from({ length: size }, () => '[[[[[[[[[['))}${']'.repeat(900)}`) },
  },
  { name: 'values without line feeds', size: 20_000, raw: { 'JSON lines': ofText((size) => '{}[]'.repeat(size / 4)) } },
  { name: 'numbers between spaces', size: 20_000, raw: { 'JSON lines': ofText((size) => '0 '.repeat(size / 2)) } },
  // Tag 51: a table of two values, no functions, and a list of references to them.
  {
    name: 'packed values',
    size: 2_000,
    raw: { CBOR: (size) => ({ bytes: joined('d8338482626162182a808099', sizeIn(2, size), repeated(size, 'e0', 'e1')) }) },
  },
  {
    name: 'records whose ids are defined again',
    size: 12_000,
    raw: {
      'MessagePack with records': (size) => ({ bytes: definedAgain('messagepack', size) }),
      'CBOR with records': (size) => ({ bytes: definedAgain('cbor', size) }),
    },
  },
  { name: 'unknown fields', size: 2_000, raw: { 'Protocol Buffers': (size) => ({ bytes: joined(repeated(size, 'a00601', 'aa0602ffff')) }) } },
  { name: 'unknown groups', size: 1_000, raw: { 'Protocol Buffers': (size) => ({ bytes: joined(repeated(size, 'a3060801a406')) }) } },
  {
    name: 'interleaved fields',
    size: 2_000,
    raw: { 'Protocol Buffers': (size) => ({ bytes: joined(repeated(size, '1a0161', '200120022a020a00')) }) },
  },
  {
    name: 'the same key of a map again and again',
    size: 2_000,
    raw: {
      'Protocol Buffers': (size) => ({
        bytes: joined(repeated(size, '0a0408011001', '0a0408011002')),
        schema: MAP,
      }),
    },
  },
  { name: 'tables that are one', size: 500, raw: { FlatBuffers: (size) => ({ bytes: sharedTables(size) }) } },
  { name: 'far pointers', size: 500, raw: { 'Cap’n Proto': (size) => ({ bytes: farPointers(size) }) } },
  {
    name: 'blocks of one item',
    size: 300,
    raw: {
      'an Avro container': (size) => ({
        bytes: new Uint8Array(
          container(
            AVRO,
            'null',
            Array.from({ length: size }, () => ({ count: 1, data: new Uint8Array(5) })),
          ),
        ),
      }),
    },
  },
  // Where there are many, their text would exceed all else.
  {
    name: 'decimals of many places',
    size: 40,
    raw: {
      Arrow: (size) => ({ bytes: arrowDecimals(size, size > 500 ? 1_000_000 : 500) }),
      'an Avro container': (size) => ({ bytes: avroDecimals(size, size > 500 ? 1_000_000 : 500), schema: undefined }),
    },
  },
  // So would copies of the buffer.
  { name: 'columns that share a buffer', size: 40, raw: { Arrow: (size) => ({ bytes: sharedColumns(size, size > 500 ? 200_000 : 50) }) } },
  {
    name: 'columns that share a long text',
    size: 125,
    raw: { Arrow: (size) => ({ bytes: sharedText(size, 'x'.repeat(size > 500 ? 2_000_000 : 50)) }) },
  },
  { name: 'a negative index into a dictionary', size: 50, raw: { Arrow: (size) => ({ bytes: negativeIndex(size), fails: true, pick: ['column'] }) } },
];

const MAP = { message: 'M', proto: 'syntax = "proto3"; message M { map<int32, int32> map = 1; }' };

function ofText(make: (size: number) => string): (size: number) => Raw {
  return (size) => ({ bytes: new TextEncoder().encode(make(size)) });
}

/** Bytes of hexadecimal texts. */
function joined(...parts: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.join('').match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

function repeated(count: number, ...parts: readonly string[]): string {
  return Array.from({ length: count }, (_, at) => parts[at % parts.length]!).join('');
}

/** An integer of `bytes` bytes, as hexadecimal text. */
function sizeIn(bytes: number, value: number): string {
  return value.toString(16).padStart(2 * bytes, '0');
}

/**
 * A list of 0 and records with keys of their own: `{ key00000: { inner: 1 }, last: 2 }`. Each defines an id that the one before it had,
 * and so does the record inside, while the outer one is open. Without the 0, columns would exceed their limit.
 */
export function definedAgain(id: 'messagepack' | 'cbor', count: number): Uint8Array<ArrayBuffer> {
  const text = (of: string): string => hexadecimal(id === 'cbor' ? 0x60 + of.length : 0xa0 + of.length, of);
  const items = Array.from({ length: count }, (_, at) => {
    const keys = [text(`key${String(at).padStart(5, '0')}`), text('last')];
    const inner = text(at % 3 === 0 ? 'inner' : `in${String(at).padStart(5, '0')}`);
    if (id === 'cbor') return `d9dfff8419e00082${keys.join('')}d9dfff8319e00081${inner}0102`;
    return `d4724092${keys.join('')}d4724091${inner}0102`;
  });
  return joined(id === 'cbor' ? '9a' : 'dd', sizeIn(4, count + 1), '00', items.join(''));
}

function hexadecimal(head: number, text: string): string {
  return [head, ...new TextEncoder().encode(text)].map((byte) => sizeIn(1, byte)).join('');
}

/** A tree whose children are all the same table. */
function sharedTables(count: number): Uint8Array<ArrayBuffer> {
  const builder = new Builder(1024);
  const text = builder.createString('shared');
  builder.startObject(5);
  builder.addFieldOffset(0, text, 0);
  const child = builder.endObject();
  builder.startVector(4, count, 4);
  for (let at = 0; at < count; at += 1) builder.addOffset(child);
  const children = builder.endVector();
  builder.startObject(5);
  builder.addFieldOffset(4, children, 0);
  builder.finish(builder.endObject());
  return Uint8Array.from(builder.asUint8Array());
}

/** A tree whose texts are behind far pointers to another segment. */
function farPointers(count: number): Uint8Array<ArrayBuffer> {
  const segments = [7 + count, 2 * count];
  const bytes = new Uint8Array(16 + 8 * (segments[0]! + segments[1]!));
  const view = new DataView(bytes.buffer);
  const put = (word: number, low: number, high: number): void => {
    view.setUint32(16 + 8 * word, low, true);
    view.setUint32(20 + 8 * word, high, true);
  };
  view.setUint32(0, 1, true);
  view.setUint32(4, segments[0]!, true);
  view.setUint32(8, segments[1]!, true);
  // The root: no data, five pointers, of which the third is a list of pointers.
  put(0, 0, 5 << 16);
  put(3, (3 << 2) | 1, (count << 3) | 6);
  for (let at = 0; at < count; at += 1) {
    put(7 + at, ((2 * at) << 3) | 2, 1);
    const pad = segments[0]! + 2 * at;
    put(pad, 1, (2 << 3) | 2);
    view.setUint8(16 + 8 * (pad + 1), 0x61 + (at % 26));
  }
  return bytes;
}

/** A table with a column of decimals, of some places after the point. */
export function arrowDecimals(count: number, places: number): Uint8Array<ArrayBuffer> {
  const data = new Uint32Array(4 * count).fill(1);
  const column = arrow.makeVector(arrow.makeData({ type: new arrow.Decimal(places, 38, 128), length: count, data }));
  return Uint8Array.from(arrow.tableToIPC(new arrow.Table({ column }), 'stream'));
}

/** A container whose own schema has decimals of some places after the point. */
export function avroDecimals(count: number, places: number): Uint8Array<ArrayBuffer> {
  const schema = { type: 'bytes', logicalType: 'decimal', precision: places, scale: places };
  return new Uint8Array(container(schema, 'null', [{ count, data: Uint8Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 2 : 7)) }]));
}

/** A column of texts, the last of which has the index −1 in a dictionary of 300. */
function negativeIndex(count: number): Uint8Array<ArrayBuffer> {
  const texts = new arrow.Utf8();
  const dictionary = arrow.vectorFromArray(
    Array.from({ length: 300 }, (_, at) => `text ${at}`),
    texts,
  );
  const indices = Int8Array.from({ length: count }, (_, at) => (at === count - 1 ? -1 : at % 100));
  const type = new arrow.Dictionary(texts, new arrow.Int8());
  const column = arrow.makeVector(arrow.makeData({ type, length: count, data: indices, dictionary }));
  return Uint8Array.from(arrow.tableToIPC(new arrow.Table({ column }), 'stream'));
}

/** A row of columns that all refer to the text of the first. */
export function sharedText(columns: number, text: string): Uint8Array<ArrayBuffer> {
  const column = (at: number): arrow.Vector => arrow.vectorFromArray([at === 0 ? text : ''], new arrow.Utf8());
  const table = new arrow.Table(Object.fromEntries(Array.from({ length: columns }, (_, at) => [`c${at}`, column(at)])));
  const bytes = Uint8Array.from(arrow.tableToIPC(table, 'stream'));
  const view = new DataView(bytes.buffer);
  const schema = messageAt(bytes, view, 0, bytes.length, 0) as Message;
  const batch = messageAt(bytes, view, schema.bodyEnd, bytes.length, 0) as Message;
  // vector of struct Buffer { offset, length }: validity, offsets and text of each column
  const { from, length } = batch.header.vector(2, 16);
  for (let index = 3; index < length; index += 1) {
    const first = batch.from + from + (index % 3) * 16;
    bytes.copyWithin(batch.from + from + index * 16, first, first + 16);
  }
  return bytes;
}

/** Rows of the table of which one of more rows is made. */
const FEW = 1009;

/** A table whose columns of numbers all have the same bytes as their buffers. */
export function sharedColumns(columns: number, rows: number): Uint8Array<ArrayBuffer> {
  const data = (): Float64Array => new Float64Array(FEW);
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const bytes = Uint8Array.from(
    arrow.tableToIPC(new arrow.Table(Object.fromEntries(names.map((name) => [name, arrow.makeVector(data())]))), 'stream'),
  );
  const view = new DataView(bytes.buffer);
  const [few, length] = [8 * FEW, 8 * rows];
  const number = (at: number): number => Number(view.getBigInt64(at, true));
  const put = (at: number, value: number): void => view.setBigInt64(at, BigInt(value), true);
  const body = bytes.length - 8 - few * columns;
  const find = (...numbers: readonly number[]): number => {
    let at = 0;
    while (numbers.some((one, index) => number(at + 8 * index) !== one)) at += 8;
    return at;
  };
  // The length of the body, and the place and length of each buffer: of no validity, and of numbers.
  put(find(few * columns), length);
  const places = find(0, 0, 0, few);
  for (let at = 0; at < 2 * columns; at += 1) put(places + 16 * at, 0);
  for (let at = 0; at + 8 <= body; at += 8) {
    if (number(at) === FEW) put(at, rows);
    else if (number(at) === few) put(at, length);
  }
  // Numbers, which are zero, and the end of the stream.
  const whole = new Uint8Array(body + length + 8);
  whole.set(bytes.subarray(0, body));
  whole.set(bytes.subarray(bytes.length - 8), body + length);
  return whole;
}
