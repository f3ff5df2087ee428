import { beforeAll, describe, expect, test } from 'vitest';
import { createEncoder, type EncodeOptions } from '../../../main/encode.ts';

/** The classes of a realm: of this one, of an iframe or of a context of `node:vm`. */
export type Realm = Pick<
  typeof globalThis,
  'Array' | 'Object' | 'String' | 'Date' | 'Map' | 'Set' | 'RegExp' | 'TypeError' | 'ArrayBuffer' | 'DataView' | 'Uint8Array' | 'Float64Array'
>;

/** Values that are made of a realm's classes. */
const VALUES: Readonly<Record<string, (realm: Realm) => unknown>> = {
  date: (realm) => new realm.Date(86_400_000_000),
  bytes: (realm) => realm.Uint8Array.from([1, 2, 3]),
  buffer: (realm) => realm.Uint8Array.from([1, 2, 3]).buffer,
  view: (realm) => new realm.DataView(realm.Uint8Array.from([1, 2, 3]).buffer),
  map: (realm) => new realm.Map(Object.entries({ a: 1, b: 2 })),
  set: (realm) => new realm.Set([1, 2]),
  ints: (realm) => realm.Array.from([1, 2]),
  floats: (realm) => realm.Float64Array.from([1, 2.5]),
  records: (realm) => realm.Array.from([1, 2], (id) => realm.Object.assign(new realm.Object(), { id })),
  text: (realm) => new realm.String('text'),
  regexp: (realm) => new realm.RegExp('a', 'g'),
  error: (realm) => new realm.TypeError('no'),
};

/** `keys` are those of the value, by those of `VALUES`. */
type Case = EncodeOptions & { readonly keys: Readonly<Record<string, string>> };

const self = (keys: string): Record<string, string> => Object.fromEntries(keys.split(' ').map((key) => [key, key]));
const every = self(Object.keys(VALUES).join(' '));
const avro = (fields: Readonly<Record<string, unknown>>): never =>
  ({ type: 'record', name: 'All', fields: Object.entries(fields).map(([name, type]) => ({ name, type })) }) as never;
const records = { type: 'array', items: { type: 'record', name: 'Item', fields: [{ name: 'id', type: 'int' }] } };
const proto = `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message Item { int32 id = 1; }
message All { google.protobuf.Timestamp date = 1; bytes bytes = 2; bytes buffer = 3; bytes view = 4; map<string, int32> map = 5;
repeated int32 set = 6; repeated int32 ints = 7; repeated double floats = 8; repeated Item records = 9; }`;
const bop = `struct Item { int32 id; }
struct All { date date; byte[] bytes; byte[] buffer; byte[] view; map[string, int32] map; int32[] set; int32[] ints; float64[] floats; Item[] records; }`;

const CASES: Readonly<Record<string, Case>> = {
  JSON: { format: 'json', keys: every },
  'JSON with options': { format: 'json', keys: every, options: { bytes: 'base64', maps: 'object', sets: 'array' } },
  'JSON with entries': { format: 'json', keys: every, options: { bytes: 'base64url', maps: 'entries' } },
  MessagePack: { format: 'messagepack', keys: every },
  'MessagePack of msgpackr without extensions': { format: 'messagepack', keys: self('date bytes map ints records'), options: { msgpackr: false } },
  CBOR: { format: 'cbor', keys: every },
  BSON: { format: 'bson', keys: self('date bytes buffer view map ints records regexp') },
  Sia: { format: 'sia', keys: self('date bytes map ints records regexp') },
  Avro: {
    format: 'avro',
    keys: { ...self('date bytes buffer view map set ints floats records'), day: 'date', micros: 'date', union: 'date', either: 'bytes', many: 'map' },
    schema: avro({
      date: { type: 'long', logicalType: 'timestamp-millis' },
      bytes: 'bytes',
      buffer: 'bytes',
      view: 'bytes',
      map: { type: 'map', values: 'int' },
      set: { type: 'array', items: 'int' },
      ints: { type: 'array', items: 'int' },
      floats: { type: 'array', items: 'double' },
      records,
      day: { type: 'int', logicalType: 'date' },
      micros: { type: 'long', logicalType: 'timestamp-micros' },
      union: ['null', 'string', { type: 'long', logicalType: 'timestamp-millis' }],
      either: ['null', { type: 'array', items: 'int' }, 'bytes'],
      many: ['null', { type: 'map', values: 'int' }],
    }),
  },
  'Avro with a schema of the values': { format: 'avro', keys: self('date bytes map set ints floats records'), options: { framing: 'container' } },
  'Protocol Buffers': {
    format: 'protobuf',
    keys: self('date bytes buffer view map set ints floats records'),
    schema: { proto, message: 'All' } as never,
  },
  Bebop: { format: 'bebop', keys: self('date bytes buffer view map set ints floats records'), schema: { bop, record: 'All' } as never },
  'js-binary': {
    format: 'jsbinary',
    keys: self('date bytes ints records regexp'),
    schema: { date: 'date', bytes: 'Buffer', ints: ['int'], records: [{ id: 'int' }], regexp: 'regex' } as never,
  },
  Arrow: { format: 'arrow', keys: self('date bytes buffer view map set ints floats records') },
};

/** Tests that values of another realm are written like those of this one. */
export function writesValuesOf(name: string, realmOf: () => Promise<Realm>): void {
  const encoder = createEncoder();
  let other: Realm;
  beforeAll(async () => {
    other = await realmOf();
  });

  async function written({ keys, ...options }: Case, realm: Realm): Promise<Uint8Array> {
    const value = realm.Object.assign(new realm.Object(), Object.fromEntries(Object.entries(keys).map(([key, kind]) => [key, VALUES[kind]!(realm)])));
    // A container of Avro, and a table of Arrow, hold lists. A container ends with random bytes.
    if (options.format === 'arrow') return encoder.encode(realm.Array.of(value), options);
    if ((options.options as { framing?: string } | undefined)?.framing !== 'container') return encoder.encode(value, options);
    return encoder.encode(realm.Array.of(value), { ...options, options: { ...options.options, syncMarker: new Uint8Array(16) } } as EncodeOptions);
  }

  describe.each(Object.keys(CASES))(`values of ${name}: %s`, (title) => {
    const { keys, ...options } = CASES[title]!;

    test.each(options.schema ? ['all'] : Object.keys(keys))('are written like those of this realm: %s', async (key) => {
      const some = { ...options, keys: key === 'all' ? keys : { [key]: keys[key]! } } as Case;
      expect(await written(some, other)).toEqual(await written(some, globalThis));
    });
  });
}
