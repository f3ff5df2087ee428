/** The TypeScript that `npx unspool types` writes; tests/e2e/types-command.test.ts compiles it with decoded values. */
import * as fs from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Declarations, escaped, withoutRepeats } from '../../../../main/cli/types/declarations.ts';
import { formatOf, typesOf } from '../../../../main/cli/types.ts';
import { baseNameOf, readSchemaFile, schemaFilesIn } from '../../../../main/cli/schema-file.ts';

const files = { statSync: fs.statSync, readFileSync: (path: string) => new Uint8Array(fs.readFileSync(path)), resolve, dirname };
const file = (content: string | Uint8Array<ArrayBuffer>, imports: Record<string, string> = {}) => ({ name: 'TripLog', content, imports });

describe('the types of a .proto', () => {
  test('follow presence, lists, maps, oneofs and enums', async () => {
    const proto = `
      syntax = "proto3";
      package fleet;
      import "google/protobuf/timestamp.proto";
      enum Kind { BIKE = 0; ON_FOOT = 1; }
      message Trip {
        int32 trip_id = 1; optional int64 distance = 2; bytes raw = 3; Kind kind = 4; repeated Stop stops = 5;
        map<string, Kind> kinds = 6; oneof price { double cash = 7; string coupon = 8; }
        google.protobuf.Timestamp start = 9; fixed64 stamp = 10 [json_name = "a-stamp"];
        message Stop { repeated fixed64 times = 1; }
      }
      message Other {}`;
    expect(await typesOf('protobuf', file(proto))).toBe(`export interface Trip {
  tripId: number;
  distance?: number | bigint;
  raw: Uint8Array;
  kind: Kind;
  stops: Stop[];
  kinds: Record<string, Kind>;
  cash?: number;
  coupon?: string;
  start?: Timestamp;
  'a-stamp': number | bigint;
}

export const Kind = {
  BIKE: 0,
  ON_FOOT: 1,
} as const;
export type Kind = number;

export interface Stop {
  times: (number | bigint)[];
}

export interface Timestamp {
  seconds: number | bigint;
  nanos: number;
}

export type Other = Record<never, never>;
`);
    expect(await typesOf('protobuf', file(proto), 'fleet.Trip.Stop')).toBe('export interface Stop {\n  times: (number | bigint)[];\n}\n');
    await expect(typesOf('protobuf', file(proto), 'Stop')).rejects.toThrow('unknown message Stop; did you mean fleet.Trip.Stop? known messages: ');
    await expect(typesOf('protobuf', file('syntax = "proto3";'))).rejects.toThrow('the schema has no messages');
  });

  test('give closed enums only their numbers, and messages of the same name longer names', async () => {
    const proto = `
      syntax = "proto2";
      message Date { required Kind kind = 1; optional A.Item one = 2; optional B.Item two = 3; enum Kind { NONE = 0; LAST = 9; FINAL = 9; option allow_alias = true; } }
      message A { message Item { optional bool ok = 1; } }
      message B { message Item { optional float at = 1; } }`;
    const types = await typesOf('protobuf', file(proto));
    expect(types).toContain('export interface Date_ {\n  kind: Kind;\n  one?: A_Item;\n  two?: B_Item;\n}');
    expect(types).toContain('export type Kind = 0 | 9;');
  });
});

test('the types of a .bop follow structs, messages, unions, enums and maps', async () => {
  const bop = `
    // struct Nothing {}
    enum Kind : int64 { Bike = 1; Far = 9007199254740993; }
    struct Stop { date at; guid id; array[byte] raw; map[uint32, float32] grid; }
    message Trip { 1 -> Stop[] stops; 2 -> Kind kind; 3 -> uint64 distance; }
    union Event { 1 -> struct Began { bool ok; } 2 -> message Ended { 1 -> string why; } }`;
  expect(await typesOf('bebop', file(bop))).toBe(`export interface Stop {
  at: Date;
  id: string;
  raw: Uint8Array;
  grid: Map<number, number>;
}

export interface Trip {
  stops?: Stop[];
  kind?: Kind;
  distance?: number | bigint;
}

export const Kind = {
  Bike: 1,
  Far: 9007199254740993n,
} as const;
export type Kind = number | bigint;

export type Event = {
  discriminator: 1;
  value: Began;
} | {
  discriminator: 2;
  value: Ended;
};

export interface Began {
  ok: boolean;
}

export interface Ended {
  why?: string;
}
`);
  expect(await typesOf('bebop', file(bop), 'Began')).toBe('export interface Began {\n  ok: boolean;\n}\n');
  await expect(typesOf('bebop', file('const int32 x = 1;'))).rejects.toThrow('the schema has no records');
});

test('the types of an Avro schema follow unions, logical types and names', async () => {
  const trip = {
    type: 'record',
    name: 'fleet.Trip',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'end', type: ['null', { type: 'long', logicalType: 'timestamp-millis' }] },
      { name: 'next', type: ['null', 'fleet.Trip'] },
      { name: 'mixed', type: ['null', 'int', 'double', { type: 'enum', name: 'Kind', symbols: ['bike', 'foot'] }] },
      { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 6, scale: 2 } },
      { name: 'tags', type: { type: 'map', values: { type: 'array', items: 'string' } } },
      { name: 'hash', type: { type: 'fixed', name: 'Hash', size: 4 } },
    ],
  };
  expect(await typesOf('avro', file(JSON.stringify({ type: 'array', items: trip })))).toBe(`export interface Trip {
  id: number | bigint;
  end: null | Date;
  next: null | Trip;
  mixed: null | {
    int: number;
  } | {
    double: number;
  } | {
    'fleet.Kind': Kind;
  };
  price: string;
  tags: Record<string, string[]>;
  hash: Uint8Array;
}

export type Kind = 'bike' | 'foot';

export type TripLog = Trip[];
`);
  const own = { ...file(JSON.stringify({ type: 'map', values: { type: 'enum', name: 'trip', symbols: ['a'] } })), name: 'Trip' };
  expect(await typesOf('avro', own)).toBe("export type Trip = 'a';\n\nexport type TripRoot = Record<string, Trip>;\n");
  await expect(typesOf('avro', file('{'))).rejects.toThrow('the schema is not JSON');
  expect(await typesOf('avro', own, 'trip')).toBe("export type Trip = 'a';\n");
  await expect(typesOf('avro', own, 'Tripp')).rejects.toThrow('no type named Tripp; the schema has trip');
});

test('the types of an .fbs are those of its .bfbs', async () => {
  const fbs = 'include "b.fbs"; table Trip { id: int; kind: Kind; name: string; stops: [Stop]; } root_type Trip;';
  const imports = { 'b.fbs': 'enum Kind : byte { Bike, Foot } struct Stop { at: long; }' };
  expect(await typesOf('flatbuffers', file(fbs, imports))).toBe(`export interface Trip {
  id: number;
  kind: Kind;
  name?: string;
  stops?: Stop[];
}

export const Kind = {
  Bike: 0,
  Foot: 1,
} as const;
export type Kind = number;

export interface Stop {
  at: number | bigint;
}
`);
});

test('the types of a .capnp are those of its request', async () => {
  const fixtures = join(import.meta.dirname, '../../../fixtures/capnproto');
  const text = await readFile(join(fixtures, 'test.capnp'), 'utf8');
  const request = new Uint8Array(await readFile(join(fixtures, 'test.request')));
  for (const type of ['TestDefaults', 'TestGroups', 'TestUnion']) {
    expect(await typesOf('capnproto', file(text), type)).toBe(await typesOf('capnproto', { ...file(''), content: request }, type));
  }
  await expect(typesOf('capnproto', file(text))).rejects.toThrow('needs the name of a struct: --type Name');
});

test('the problems that protoc would have with a .proto are listed beside its types', async () => {
  const problems: string[] = [];
  const proto = 'syntax = "proto3";\nmessage M { int32 a = 19001; }\nenum E { A = 1; }';
  for (const type of [undefined, 'M'])
    expect(await typesOf('protobuf', file(proto), type, (problem) => problems.push(problem))).toContain('a: number');
  const expected = [
    'line 2, column 23: the numbers 19000 to 19999 are reserved for protobuf itself',
    'line 3, column 10: the first value of E must be 0',
  ];
  expect(problems).toEqual([...expected, ...expected]);
});

test('the types of a js-binary type follow its literal', async () => {
  const literal = { id: 'uint', 'at?': 'date', path: [{ 'x y': 'float', oid: 'oid' }], any: 'json' };
  expect(await typesOf('jsbinary', file(JSON.stringify(literal)))).toBe(`export interface TripLog {
  id: number;
  at?: Date | undefined;
  path: ({
    'x y': number;
    oid: string;
  })[];
  any: unknown;
}
`);
  expect(await typesOf('jsbinary', file('["string"]'))).toBe('export type TripLog = string[];\n');
});

test('the types of a JSON Schema follow its references, unions and tuples', async () => {
  const schema = {
    type: 'object',
    required: ['id', 'stops', 'at'],
    properties: {
      id: { type: 'integer' },
      kind: { enum: ['bike', 'on foot', null] },
      stops: { type: 'array', items: { $ref: '#/$defs/stop' } },
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: ['number', 'null'] }], minItems: 1 },
      tags: { type: 'object', additionalProperties: { type: 'boolean' } },
      other: {},
      end: { anyOf: [{ $ref: '#/$defs/stop' }, { const: false }] },
      again: { $ref: '#/properties/tags' },
      more: { allOf: [{ $ref: '#/$defs/stop' }, { type: 'object', properties: { km: { type: 'number' } } }], type: 'object' },
    },
    $defs: {
      stop: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/stop' }, trip: { $ref: '#' } }, required: ['name'] },
      unused: { type: ['string', 'null'] },
    },
  };
  const all = await typesOf('json-schema', file(JSON.stringify(schema)));
  expect(all).toBe(`export interface TripLog {
  id: number;
  kind?: 'bike' | 'on foot' | null;
  stops: Stop[];
  at: [number, (number | null)?, ...unknown[]];
  tags?: Tags;
  other?: unknown;
  end?: Stop | false;
  again?: Tags;
  more?: Stop & {
    km?: number;
  };
}

export interface Stop {
  name: string;
  next?: Stop;
  trip?: TripLog;
}

export type Tags = Record<string, boolean>;

export type Unused = string | null;
`);
  expect(await typesOf('json-schema', file(JSON.stringify(schema)), 'unused')).toBe('export type Unused = string | null;\n');
  await expect(typesOf('json-schema', file(JSON.stringify(schema)), 'x')).rejects.toThrow('no type named x; the schema has stop, tags, unused');
  await expect(typesOf('json-schema', file('{"$ref":"#/$defs/x"}'))).rejects.toThrow('the reference #/$defs/x names no part of the JSON Schema');
  await expect(typesOf('json-schema', file('{"type":"text"}'))).rejects.toThrow('unknown type text in the JSON Schema');
  await expect(typesOf('json-schema', file('{'))).rejects.toThrow('the JSON Schema is not JSON');
  await expect(typesOf('json-schema', file('[]'))).rejects.toThrow('a JSON Schema is an object');
});

test('files that need another program, and unknown ones, say what to do', async () => {
  expect(formatOf('a/trip.fbs')).toBe('flatbuffers');
  expect(formatOf('trip.capnp')).toBe('capnproto');
  expect(() => formatOf('trip.json')).toThrow('add --format with one of avro, bebop');
  expect(formatOf('TRIP.PROTO')).toBe('protobuf');
  expect(formatOf('a/trip.schema.json')).toBe('json-schema');
  await expect(typesOf('protobfu', file(''))).rejects.toThrow('unknown format protobfu; did you mean protobuf?');
  await expect(typesOf('capnproto', file(new Uint8Array(8)))).rejects.toThrow('--type Name');
});

test('imports are read from the folder of the file that imports them, and from those given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unspool-schemas-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'own'));
  await mkdir(join(folder, 'shared/deep'), { recursive: true });
  await writeFile(
    join(folder, 'own/bike-trip.proto'),
    'syntax = "proto3";\n/* import "no.proto"; */\nimport public "deep/a.proto";\nmessage Trip { A a = 1; }',
  );
  await writeFile(join(folder, 'shared/deep/a.proto'), 'syntax = "proto3"; // a\nimport "b.proto";\nmessage A { B b = 1; }');
  await writeFile(join(folder, 'shared/deep/b.proto'), 'syntax = "proto3"; message B {}');
  const read = readSchemaFile(join(folder, 'own/bike-trip.proto'), [join(folder, 'shared')], files);
  expect(read.name).toBe('BikeTrip');
  expect(Object.keys(read.imports)).toEqual(['deep/a.proto', 'b.proto']);
  expect(await typesOf('protobuf', read)).toContain('export interface A {\n  b?: B;\n}');
  await expect(typesOf('protobuf', readSchemaFile(join(folder, 'own/bike-trip.proto'), [], files))).rejects.toThrow('deep/a.proto');
});

test('an import that leads out of the folders is refused, and only files are read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unspool-schemas-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'own/inner'), { recursive: true });
  await mkdir(join(folder, 'own/folder.proto'));
  await writeFile(join(folder, 'secret.proto'), 'message Secret {}');
  await writeFile(join(folder, 'secret.bop'), 'struct Secret {}');
  await writeFile(join(folder, 'own/near.bop'), 'import "inner/far.bop" struct Near {}');
  await writeFile(join(folder, 'own/inner/far.bop'), 'import "../near.bop" struct Far {}');
  const read = async (name: string, text: string, folders: string[] = []): Promise<string[]> => {
    await writeFile(join(folder, 'own', name), text);
    return Object.keys(readSchemaFile(join(folder, 'own', name), folders, files).imports);
  };
  for (const path of [
    '/dev/zero',
    join(folder, 'secret.proto'),
    '../secret.proto',
    'inner/../../secret.proto',
    './inner/a.proto',
    'inner\\a.proto',
  ]) {
    await expect(read('a.proto', `import "${path}";`)).rejects.toThrow(`cannot import ${JSON.stringify(path)} in `);
  }
  expect(await read('a.proto', 'import "folder.proto";')).toEqual([]);
  await expect(read('a.bop', `import "../secret.bop"`)).rejects.toThrow('is in none of the folders: add its folder with -I');
  await expect(read('a.bop', `import "${join(folder, 'secret.bop')}"`)).rejects.toThrow('is in none of the folders: add its folder with -I');
  expect(await read('a.bop', `import "../secret.bop"`, [folder])).toEqual(['../secret.bop']);
  expect(await read('a.bop', 'import "/dev/zero"')).toEqual([]);
  expect(await read('a.bop', 'import "near.bop"')).toEqual(['near.bop', 'inner/far.bop', '../near.bop']);
});

test('types whose full names give the same identifier get names of their own', async () => {
  const declarations = new Declarations(['a_b_c', 'a.b_c', 'a_b.c', 'x.b_c', 'y.b_c', 'A_b_c', 'p.q.A_b_c_2']);
  expect(['a_b_c', 'a.b_c', 'a_b.c', 'x.b_c', 'A_b_c', 'p.q.A_b_c_2'].map((name) => declarations.name(name))).toEqual([
    'A_b_c',
    'A_b_c_',
    'C',
    'X_b_c',
    'A_b_c_2',
    'A_b_c_2_',
  ]);
});

test('the first line of the output names the file on one line, whatever its folder and name', async () => {
  expect(baseNameOf('a\nexport const x = 1;//b/trip.proto')).toBe('trip.proto');
  expect(baseNameOf('C:\\a\\trip.proto')).toBe('trip.proto');
  expect(escaped('a\nb\r\u2028c "d".proto')).toBe('a\\nb\\r\\u2028c "d".proto');
});

test('several schemas declare a type that they share once, and refuse two of one name', () => {
  const one = 'export interface A {\n  x: number;\n}\n\nexport type B = Record<never, never>;\n';
  expect(
    withoutRepeats([
      ['a.proto', one],
      ['b.proto', one],
    ]),
  ).toBe(one);
  expect(() =>
    withoutRepeats([
      ['a.proto', one],
      ['b.proto', 'export type B = string;\n'],
    ]),
  ).toThrow('two types named B differ, in a.proto and b.proto: print them to files of their own');
});

test('a folder has the schemas whose endings say so, in order', () => {
  expect(schemaFilesIn('all/', ['b.fbs', 'a.proto', 'notes.md', 'payload.pb', 'in/c.avsc', 'd.json', 'd.schema.json'])).toEqual([
    'all/a.proto',
    'all/b.fbs',
    'all/d.schema.json',
    'all/in/c.avsc',
  ]);
  expect(() => schemaFilesIn('none', ['x.md'])).toThrow('the folder none has no schema');
});

test('a missing import names -I', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unspool-types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'a.proto'), 'syntax = "proto3"; import "shared/d.proto"; message A { D d = 1; }');
  await expect(typesOf('protobuf', readSchemaFile(join(folder, 'a.proto'), [], files))).rejects.toThrow(
    'shared/d.proto was not found; add the folder that its path begins in with -I',
  );
});
