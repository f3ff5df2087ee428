import { readFile } from 'node:fs/promises';
import protobufjs from 'protobufjs';
import { describe, expect, test } from 'vitest';
import type { DecodeReport } from '../../../../main/call/observe.ts';
import type { Exchange, LibraryState } from '../../../../devtools-extension/adapter/adapter.ts';
import {
  fromJson,
  isDoubtful,
  type SchemaFile,
  schemaFileOf,
  schemaInput,
  toJson,
  typesOf,
} from '../../../../devtools-extension/panel/schemas/schema-files.ts';
import { candidatesOf, fileOfPage, matchesPattern, pageSchemaFor } from '../../../../devtools-extension/panel/schemas/schemas.ts';
import { typesInSchema } from '../../../../devtools-extension/reading/schemas/schema-types.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';

const root = new URL('../../../../', import.meta.url);
const bytesOf = async (path: string): Promise<Uint8Array> => Uint8Array.from(await readFile(new URL(path, root)));
const text = (content: unknown): Uint8Array => new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

/** Result of compiling a file with its format. */
async function compile(file: SchemaFile, type: string, others: SchemaFile[] = []): Promise<unknown> {
  const { format, input } = schemaInput(file, type, others);
  return (await loadFormat(format)).compileSchema!(input);
}

describe('schemaFileOf', () => {
  test.each<[string, unknown, FormatId]>([
    ['a.proto', 'message A {}', 'protobuf'],
    ['a.avsc', { type: 'record', name: 'A', fields: [] }, 'avro'],
    ['a.bop', 'struct A { int32 x; }', 'bebop'],
    ['a.json', { type: 'record', name: 'A', fields: [] }, 'avro'],
    ['a.json', { type: 'array', items: 'string' }, 'avro'],
    ['a.json', { id: 'uint', 'name?': 'string', rows: [{ x: 'float' }] }, 'jsbinary'],
    ['structures.json', [['id', 'name'], null, ['x']], 'messagepack'],
    ['trips.structures', [['id']], 'messagepack'],
  ])('recognises a schema by its name and content: %s', (name, content, format) => {
    expect(schemaFileOf(name, text(content))).toMatchObject({ name, format });
  });

  test.each<[string, unknown]>([
    ['a.json', { type: 'record', id: 1 }],
    ['a.json', { type: 'array' }],
    ['a.json', [['id', 'name']]],
    ['a.json', { name: 'string theory' }],
    ['a.json', {}],
    ['a.json', '{"broken'],
    ['photo.png', 'x'],
  ])('ignores other files: %s with %j', (name, content) => {
    expect(schemaFileOf(name, text(content))).toBeUndefined();
  });
});

describe('typesOf', () => {
  test('lists the types of a .proto with the package and enclosing messages', () => {
    const proto = 'package a.b; message One { message Two { int32 x = 1; } enum E { Z = 0; } } // message No {\nmessage Three {}';
    expect(typesOf('proto', proto)).toEqual(['a.b.One', 'a.b.One.Two', 'a.b.Three']);
  });

  test('lists the tables of an .fbs, the root type first, and each of them compiles', async () => {
    const fbs = 'table Plain { x: int; } namespace a.b; table One { two: Two; } /* table No {} */ table Two { plain: .Plain; } root_type Two;';
    expect(typesOf('fbs', fbs)).toEqual(['a.b.Two', 'Plain', 'a.b.One']);
    const file = schemaFileOf('a.fbs', text(fbs.replace('.Plain', 'Plain')))!;
    for (const type of file.types) await expect(compile(file, type), type).resolves.toBeDefined();
  });

  test('lists the structs of a .capnp with those around them, and each of them compiles', async () => {
    const capnp =
      '@0xd508eebdc2dc42b9; struct Plain { x @0 :Int8; struct In { y @0 :Plain; } } # struct No {}\ninterface I { struct Two(T) { t @0 :T; } }';
    expect(typesOf('capnp', capnp)).toEqual(['Plain', 'Plain.In', 'I.Two']);
    const file = schemaFileOf('a.capnp', text(capnp))!;
    for (const type of file.types) await expect(compile(file, type), type).resolves.toBeDefined();
  });

  test('lists the types of a compiled schema, which is valid', async () => {
    const all: [string, FormatId, string][] = [
      ['tests/fixtures/protobuf/everything.desc', 'protobuf', 'everything.Everything'],
      ['demo/server/schemas/trips.bfbs', 'flatbuffers', ''],
      ['tests/fixtures/flatbuffers/everything.bfbs', 'flatbuffers', ''],
      ['demo/server/schemas/trips.capnp.request', 'capnproto', 'Trips'],
      ['tests/fixtures/capnproto/test.request', 'capnproto', 'TestAllTypes'],
    ];
    for (const [path, format] of all) {
      const bytes = await bytesOf(path);
      const types = await typesInSchema(format, bytes);
      expect(types.length, path).toBeGreaterThan(0);
      const file = schemaFileOf(path, bytes)!;
      expect(file.format, path).toBe(format);
      for (const type of types) await expect(compile(file, type), `${path} ${type}`).resolves.toBeDefined();
    }
  });

  test('rejects other bytes', async () => {
    for (const format of ['protobuf', 'flatbuffers', 'capnproto'] as const) {
      await expect(typesInSchema(format, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)), format).rejects.toThrow();
    }
    expect(isDoubtful('payload.pb')).toBe(true);
    expect(isDoubtful('schema.bfbs')).toBe(false);
  });
});

describe('a file whose name may be that of a schema or of a payload', () => {
  test('is a payload if it can be read as a FileDescriptorSet, but has no fields with a name, number and type', async () => {
    const { root } = protobufjs.parse(`syntax = "proto3";
      message Trips { repeated Trip trips = 1; }
      message Trip { string name = 1; string line = 2; repeated Station stations = 4; }
      message Station { string name = 1; repeated Stop stops = 2; }
      message Stop { string name = 1; int32 number = 3; int32 type = 5; }`);
    const written = (stations: object[]): Uint8Array => {
      const type = root.lookupType('Trips');
      return type.encode(type.fromObject({ trips: [{ name: 'Zürich', line: 'north', stations }] })).finish();
    };
    for (const stations of [
      [{ name: 'Basel' }],
      [{ name: 'Basel', stops: [{ name: 'Basel SBB' }] }],
      [{ name: 'Basel', stops: [{ name: 'SBB', number: 1, type: 99 }] }],
      [{ name: 'Basel SBB', stops: [{ name: 'north', number: 1, type: 9 }] }],
    ]) {
      await expect(typesInSchema('protobuf', written(stations)), JSON.stringify(stations)).resolves.toHaveLength(1);
      await expect(typesInSchema('protobuf', written(stations), true), JSON.stringify(stations)).rejects.toThrow();
    }
  });

  test('is a schema if a compiler wrote it', async () => {
    const set = await bytesOf('tests/fixtures/protobuf/everything.desc');
    await expect(typesInSchema('protobuf', set, true)).resolves.toEqual(await typesInSchema('protobuf', set));
    for (const path of ['demo/server/schemas/trips.capnp.request', 'tests/fixtures/capnproto/test.request']) {
      const request = await bytesOf(path);
      await expect(typesInSchema('capnproto', request, true), path).resolves.toEqual(await typesInSchema('capnproto', request));
    }
  });
});

test('a .proto finds its direct and indirect imports among the other files', async () => {
  const file = (name: string, content: string): SchemaFile => schemaFileOf(name, text(content))!;
  const c = file('c.proto', 'syntax = "proto3"; message C { int32 x = 1; }');
  const b = file('b.proto', 'syntax = "proto3"; import "some/path/c.proto"; message B { C c = 1; }');
  const a = file('a.proto', 'syntax = "proto3"; import "path/b.proto"; message A { B b = 1; }');
  await expect(compile(a, 'A', [a, b, c])).resolves.toBeDefined();
  await expect(compile(a, 'A', [a])).rejects.toThrow();
});

test('structures of msgpackr are options of the reader', () => {
  const file = schemaFileOf('structures.json', text([['id', 'name']]))!;
  expect(schemaInput(file, '', [])).toMatchObject({ format: 'messagepack', input: undefined, options: { structures: [['id', 'name']] } });
});

describe('pattern', () => {
  test.each([
    ['https://a.test/x', 'https://a.test/x?y=1', true],
    ['/api/*/items', 'https://a.test/api/7/items', true],
    ['/api/*/items', 'https://a.test/items/api/', false],
    ['', 'https://a.test', false],
  ])('matches an address or not: %s, %s: %s', (pattern, url, fits) => {
    expect(matchesPattern(pattern, url)).toBe(fits);
  });
});

describe('schema choice on a page that uses the library', () => {
  const exchange = { url: 'https://a.test/trips', time: 1000 } as Exchange;
  const report = { url: exchange.url, schema: 'trips', format: 'bebop', startTime: 100 } as DecodeReport;
  const input = { bop: 'struct Trips { int32 x; }', record: 'Trips' };
  const state: LibraryState = { decodes: [report], schemas: [{ name: 'trips', format: 'bebop', schema: input }], bodies: [], timeOrigin: 1000 };

  test('includes the schema that decoded a response', () => {
    expect(pageSchemaFor(state, exchange, [exchange])).toEqual({ name: 'trips, from the page', format: 'bebop', input });
    expect(pageSchemaFor({ ...state, schemas: [] }, exchange, [exchange])).toBeUndefined();
    expect(pageSchemaFor(state, { ...exchange, url: 'https://a.test/other' }, [exchange])).toBeUndefined();
    expect(pageSchemaFor(undefined, exchange, [exchange])).toBeUndefined();
  });

  test('includes schemas of the same format, or any for an unknown format, if no decode was reported', () => {
    const detected = (format: FormatId | undefined, confidence: number) => ({ format, confidence, reasons: [], sequence: false, wrappings: [] });
    const names = (format: FormatId | undefined, confidence: number, schemas: LibraryState['schemas']): string[] =>
      candidatesOf({ ...state, schemas }, detected(format, confidence)).map(({ name }) => name);
    const [bebop, one, other] = [
      state.schemas[0]!,
      { name: 'one', format: 'protobuf', schema: {} },
      { name: 'other', format: 'protobuf', schema: {} },
    ];
    expect(names(undefined, 0, [bebop, one])).toEqual(['trips, from the page', 'one, from the page']);
    expect(names(undefined, 0, [bebop, one, other])).toEqual(['trips, from the page']);
    expect(names('protobuf', 0.97, [bebop, one])).toEqual(['one, from the page']);
    expect(names('messagepack', 0.97, [bebop, one])).toEqual([]);
    expect(candidatesOf(undefined, detected(undefined, 0))).toEqual([]);
  });

  test('restores a stored schema unchanged, including bytes', async () => {
    const descriptorSet = await bytesOf('tests/fixtures/protobuf/everything.desc');
    const [first] = await typesInSchema('protobuf', descriptorSet);
    const file = fileOfPage({ name: 'all', format: 'protobuf', schema: { descriptorSet, message: first! } });
    expect(schemaInput(JSON.parse(JSON.stringify(file)) as SchemaFile, '', []).input).toEqual({ descriptorSet, message: first });
    await expect(compile(file, '')).resolves.toBeDefined();
    expect(fromJson(toJson({ a: [Uint8Array.of(1, 2).buffer] }))).toEqual({ a: [Uint8Array.of(1, 2)] });
  });
});
