import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { serialize } from 'bson';
import { encode as encodeCbor } from 'cbor-x';
import { Packr, unpack } from 'msgpackr';
import { createTripSource } from '../../demo/server/data/trips.mjs';
import { orders } from '../../demo/server/data/orders.mjs';
import { encodeRows } from '../../demo/server/encode.mjs';
import type { FormatId } from '../../core/formats/registry.ts';

/** What is decoded. */
export interface BenchCase {
  id: FormatId;
  bytes: Uint8Array;
  rows: number;
  options?: object;
  /** Nested objects stay bytes, as for rows. */
  raw?: boolean;
  schema?: unknown;
  /** What the format's fastest library does with the bytes. */
  library?: (bytes: Uint8Array) => unknown;
}

/** A case that is made when it is its turn. */
export interface CaseMaker {
  name: string;
  create: () => Promise<BenchCase> | BenchCase;
}

type Row = Record<string, unknown>;

/** A file of the payload server's schemas. The working folder is the repository. */
const schemaFile = (name: string): string => readFileSync(`demo/server/schemas/${name}`, 'utf8');

/** By an encoder's id the format, and the schema of trips. */
const TRIPS: Readonly<Record<string, { id: FormatId; schema?: () => unknown; library?: () => Promise<(bytes: Uint8Array) => unknown> }>> = {
  json: { id: 'json', library: async () => (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as unknown },
  messagepack: { id: 'messagepack', library: async () => (bytes) => unpack(bytes) as unknown },
  'messagepack-records': { id: 'messagepack', library: async () => (bytes) => unpack(bytes) as unknown },
  cbor: { id: 'cbor', library: async () => (await import('cbor-x')).decode },
  'cbor-records': { id: 'cbor', library: async () => (await import('cbor-x')).decode },
  avro: {
    id: 'avro',
    schema: () => JSON.parse(schemaFile('trips.avsc')) as unknown,
    library: async () => {
      const { default: avsc } = await import('avsc');
      class Dates extends avsc.types.LogicalType {
        protected override _fromValue(value: number): Date {
          return new Date(value);
        }
        protected override _toValue(value: Date): number {
          return value.getTime();
        }
      }
      const type = avsc.Type.forSchema(JSON.parse(schemaFile('trips.avsc')) as never, { logicalTypes: { 'timestamp-millis': Dates } });
      return (bytes) => type.fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as unknown;
    },
  },
  protobuf: { id: 'protobuf', schema: () => ({ proto: schemaFile('trips.proto'), message: 'unspool.demo.Trips' }) },
  bson: { id: 'bson', library: async () => (await import('bson')).deserialize },
  bebop: { id: 'bebop', schema: () => ({ bop: schemaFile('trips.bop'), record: 'Trips' }) },
  sia: { id: 'sia' },
  jsbinary: { id: 'jsbinary', schema: () => JSON.parse(schemaFile('trips.jsbinary.json')) as unknown },
};

/** Regular rows, in each format. */
export function tripCases(rows: number): CaseMaker[] {
  return Object.entries(TRIPS).map(([encoder, { id, schema, library }]) => ({
    name: `trips, ${encoder}`,
    create: async () => {
      const bytes = encodeRows(encoder, createTripSource(1).rows(rows), { key: 'trips', count: rows, dataset: 'trips' });
      return { id, bytes, rows, ...(schema && { schema: schema() }), ...(library && { library: await library() }) };
    },
  }));
}

/** Numbers that look random, the same each time. */
function numbers(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Rows that are not what kernels hope for, by what is irregular in them. */
const IRREGULAR: Readonly<Record<string, (at: number, random: (below: number) => number) => Row>> = {
  'strings with escapes': (at) => ({ id: at, name: `a "quoted" name\n${at % 50}`, text: `line ${at}\tand \\ more`, score: at / 7 }),
  'optional fields that come and go': (at, random) =>
    Object.fromEntries(Object.entries(wide(at, random)).filter((_, key) => key < 2 || random(10) < 6)),
  'a rare optional field': (at, random) => (random(40) === 0 ? { ...wide(at, random), note: `note ${at}` } : wide(at, random)),
  'a field of several kinds': (at, random) => ({ ...wide(at, random), value: [at, `text ${at}`, null, at % 2 === 0, at / 3][random(5)] }),
  'a field that is null or rarely a list': (at, random) => ({ ...wide(at, random), list: random(30) === 0 ? [at, at + 1] : null }),
  'two kinds of rows in turn': (at, random) => (at % 2 === 0 ? wide(at, random) : { kind: 'other', id: at, label: `label ${at}` }),
  'twenty shapes': (at, random) => {
    const shape = random(20);
    return Object.fromEntries(Object.entries(wide(at, random)).map(([key, value]) => [`${key}_${shape}`, value]));
  },
  'a thousand shapes': (at, random) => {
    const shape = random(1000);
    return Object.fromEntries(Object.entries(wide(at, random)).map(([key, value], index) => [index === 3 ? `${key}_${shape}` : key, value]));
  },
  'shuffled keys': (at, random) => Object.fromEntries(shuffled(Object.entries(wide(at, random)), random)),
  'runs of ten rows of one shape': (at, random) => {
    const shape = Math.floor(at / 10) % 7;
    return Object.fromEntries(Object.entries(wide(at, random)).map(([key, value]) => [`${key}_${shape}`, value]));
  },
  'integers that turn to fractions': (at, random) => ({ ...wide(at, random), amount: random(20) === 0 ? at + 0.5 : at }),
  'records with a nested one': (at, random) => ({ ...wide(at, random), place: { lat: at / 3, lng: -at / 7 } }),
};

/** How an irregular list is encoded. */
const ENCODINGS: readonly [id: FormatId, encode: (value: Row | Row[]) => Uint8Array][] = [
  ['json', (value) => new TextEncoder().encode(JSON.stringify(value))],
  ['messagepack', (value) => new Packr({ useRecords: false }).pack(value)],
  ['cbor', (value) => encodeCbor(value)],
  ['bson', (value) => serialize(Array.isArray(value) ? { items: value } : value)],
];

export function irregularCases(rows: number): CaseMaker[] {
  return [
    ...Object.entries(IRREGULAR).flatMap(([name, make]) =>
      ENCODINGS.map(([id, encode]) => ({
        name: `${name}, ${id}`,
        create: () => {
          const random = numbers();
          return { id, rows, bytes: Uint8Array.from(encode(Array.from({ length: rows }, (_, at) => make(at, random)))) };
        },
      })),
    ),
    ...[false, true].flatMap((raw) =>
      ENCODINGS.map(([id, encode]) => ({
        name: `nested orders${raw ? ' as bytes' : ''}, ${id}`,
        create: () => ({ id, raw, rows: rows >> 2, bytes: Uint8Array.from(encode([...orders(rows >> 2, 1)] as Row[])) }),
      })),
    ),
  ];
}

/** Bytes of JSON. */
const DOCUMENT_BYTES = 5e6;

/** Real documents, as rows. Those that are not here are left out. */
export async function documentCases(): Promise<CaseMaker[]> {
  // Not bundled with this: it looks for files beside the repository.
  const { DOCUMENTS } = (await import(pathToFileURL('bench/documents/sources.mjs').href)) as typeof import('../documents/sources.mjs');
  return DOCUMENTS.filter(({ present }) => present).flatMap(({ name, open }) =>
    ENCODINGS.map(([id, encode]) => ({
      name: `${name}, ${id}`,
      create: async () => {
        const { value, path } = (await open())(DOCUMENT_BYTES);
        const list = path.reduce((node: Row, key) => node[key] as Row, value as Row);
        return { id, raw: true, rows: Object.keys(list).length, bytes: Uint8Array.from(encode(value as Row)) };
      },
    })),
  );
}

function wide(at: number, random: (below: number) => number): Row {
  return {
    id: at,
    name: `name ${random(500)}`,
    city: `city ${random(40)}`,
    score: random(100_000) / 100,
    active: random(2) === 0,
    count: random(1000),
    text: `some text of row ${at}`,
    ratio: random(1_000_000) / 999_999,
    level: random(5),
    tag: `tag ${random(9)}`,
  };
}

function shuffled<Item>(items: Item[], random: (below: number) => number): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random(last + 1);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}
