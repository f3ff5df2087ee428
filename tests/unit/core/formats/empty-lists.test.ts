import { Int32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import arrow from '../../../../core/formats/arrow/index.ts';
import avro from '../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../core/formats/avro/writer.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bebopWriter from '../../../../core/formats/bebop/writer.ts';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import capnprotoWriter from '../../../../core/formats/capnproto/writer.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import flatbuffersWriter from '../../../../core/formats/flatbuffers/writer.ts';
import jsbinary from '../../../../core/formats/jsbinary/index.ts';
import jsbinaryWriter from '../../../../core/formats/jsbinary/writer.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../core/formats/protobuf/writer.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { DecodeSession } from '../../../../core/format/decode-session.ts';
import type { Sink } from '../../../../core/reading/sink.ts';
import { shaped, type Shaping } from '../../../../core/shaping.ts';
import { ObjectSink, shapeOf } from '../../../../core/sinks/objects/objects.ts';
import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { fitted } from '../../../../demo/server/rows.mjs';
import { schemas } from '../../../../demo/server/schemas.mjs';
import { resultShape } from '../../../../main/rows/form.ts';
import { readAtOnce } from '../../../../core/slicing/reader-slices.ts';
import { isRows, type Rows } from '../../../../main/index.ts';
import fc from '../../../setup/properties/property.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';

interface Case {
  format: unknown;
  writer: unknown;
  /** The schema of an object whose only key is `rows`, a list of records with these fields. */
  schemaOf?: (keys: readonly string[]) => unknown;
  options?: object;
}

const record = (name: string, fields: readonly object[]): object => ({ type: 'record', name, fields });

const FORMATS: Readonly<Record<string, Case>> = {
  avro: {
    format: avro,
    writer: avroWriter,
    schemaOf: (keys) => {
      const items = record(
        'Row',
        keys.map((name) => ({ name, type: 'long' })),
      );
      return record('Root', [{ name: 'rows', type: { type: 'array', items } }]);
    },
  },
  protobuf: {
    format: protobuf,
    writer: protobufWriter,
    options: { names: 'proto' },
    schemaOf: (keys) => ({
      proto: `syntax = "proto3";
        message Row { ${keys.map((key, at) => `int32 ${key} = ${at + 1};`).join(' ')} }
        message Root { repeated Row rows = 1; }`,
      message: 'Root',
    }),
  },
  bebop: {
    format: bebop,
    writer: bebopWriter,
    schemaOf: (keys) => ({ bop: `struct Row { ${keys.map((key) => `int32 ${key};`).join(' ')} } struct Root { Row[] rows; }`, record: 'Root' }),
  },
  jsbinary: {
    format: jsbinary,
    writer: jsbinaryWriter,
    schemaOf: (keys) => ({ rows: [Object.fromEntries(keys.map((key) => [key, 'int']))] }),
  },
  flatbuffers: { format: flatbuffers, writer: flatbuffersWriter },
  capnproto: { format: capnproto, writer: capnprotoWriter },
};

/** Compiles a schema for the reader and for the writer. */
async function compiled({ format, writer }: Case, schema: unknown): Promise<{ reading: unknown; writing: unknown }> {
  const compile = (by: unknown): unknown => (by as { compileSchema(input: unknown): unknown }).compileSchema(schema);
  return { reading: await compile(format), writing: await compile(writer) };
}

/**
 * Decodes with `as: 'rows'` through plain objects, as on a page, and through a block, as in a worker: whole and in chunks; and as
 * a small payload.
 */
async function decodeEveryWay(
  id: string,
  bytes: Uint8Array,
  { schema, options = {}, shaping }: { schema?: unknown; options?: object | undefined; shaping?: Shaping | undefined },
): Promise<unknown[]> {
  const format = (id === 'arrow' ? arrow : FORMATS[id]!.format) as AnyFormat;
  const wrap = shaping && ((inner: Sink): Sink => shaped(inner, shaping));
  const setting = { id: id as FormatId, format, options, limits: resolveLimits(), schema, wrap };
  const read = (sink: Sink, size: number): void => {
    const session = new DecodeSession(setting, sink);
    if (size === 0 || session.readsWhole) session.end(bytes);
    else {
      for (let at = 0; at < bytes.length; at += size) session.push(bytes.slice(at, at + size));
      session.end();
    }
  };
  const values: unknown[] = [];
  for (const size of [0, 1, 7]) {
    const objects = new ObjectSink();
    objects.nameKeys();
    read(objects, size);
    values.push(resultShape(objects.result, 'rows'));
    values.push(await throughBlock((sink) => read(sink, size), 'rows'));
  }
  if (shaping === undefined) values.push(resultShape(readAtOnce(setting, bytes, undefined, true), 'rows'));
  return values;
}

function expectColumns(rows: unknown, keys: readonly string[]): void {
  expect(isRows(rows)).toBe(true);
  const { length, columnNames, schema } = rows as Rows;
  expect({ length, columnNames, names: schema.fields.map(({ name }) => name) }).toEqual({ length: 0, columnNames: keys, names: keys });
}

describe.each(Object.keys(FORMATS))('an empty list in %s', (id) => {
  const given = FORMATS[id]!;

  test('has the columns of the schema, also of the parts that are picked', async () => {
    const schema = (schemas['trips'] as Record<string, unknown>)[id];
    const { reading, writing } = await compiled(given, schema);
    const { options } = given;
    const encode = (trips: unknown[]): Uint8Array => encodeWith(given.writer, { trips }, { schema: writing, options: options ?? {} });
    const bytes = encode([]);
    const [whole] = (await decodeEveryWay(id, encode([...fitted(createTripSource(3).take(1), 'trips', id)]), {
      schema: reading,
      options,
    })) as [{ trips: Rows }];
    const keys = whole.trips.columnNames;
    expect(keys.length).toBeGreaterThan(10);
    for (const value of await decodeEveryWay(id, bytes, { schema: reading, options })) expectColumns((value as { trips: unknown }).trips, keys);
    const pick = [`trips.${keys[3]}`, `trips.${keys[1]}`, 'trips.nothing'];
    for (const value of await decodeEveryWay(id, bytes, { schema: reading, options, shaping: { pick } }))
      expectColumns((value as { trips: unknown }).trips, [keys[1]!, keys[3]!]);
    for (const value of await decodeEveryWay(id, bytes, { schema: reading, options, shaping: { numbers: 'typed' } }))
      expectColumns((value as { trips: unknown }).trips, keys);
  });

  test.runIf(['avro', 'protobuf', 'bebop'].includes(id))('has the columns of the schema without a reader', async () => {
    const { reading, writing } = await compiled(given, (schemas['trips'] as Record<string, unknown>)[id]);
    const { format, writer, options = {} } = given;
    const bytes = encodeWith(writer, { trips: [] }, { schema: writing, options });
    const read = (namesKeys: boolean): object =>
      (format as AnyFormat).decodeAtOnce!(bytes, options, resolveLimits(), reading, shapeOf, namesKeys) as object;
    const { trips } = resultShape(read(true), 'rows') as { trips: Rows };
    expect(trips.columnNames.length).toBeGreaterThan(10);
    // Lists of plain objects have no property of their own.
    expect((read(false) as { trips: object }).trips).not.toHaveProperty('recordKeys');
  });

  test('of a sequence without values has the columns of the root', async () => {
    const { reading } = await compiled(given, (schemas['trips'] as Record<string, unknown>)[id]);
    for (const value of await decodeEveryWay(id, new Uint8Array(0), { schema: reading, options: { ...given.options, sequence: true } }))
      expectColumns(value, ['trips']);
  });

  test.skipIf(given.schemaOf === undefined)('has the columns of any schema', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^f[a-z0-9]{0,6}$/), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(names, async (keys) => {
        const { reading, writing } = await compiled(given, given.schemaOf!(keys));
        const bytes = encodeWith(given.writer, { rows: [] }, { schema: writing, options: given.options ?? {} });
        for (const value of await decodeEveryWay(id, bytes, { schema: reading, options: given.options }))
          expectColumns((value as { rows: unknown }).rows, keys);
      }),
      { numRuns: 60 },
    );
  });
});

test('a container of Avro without data has the columns of its schema', async () => {
  const schema = record('Row', [
    { name: 'id', type: 'long' },
    { name: 'name', type: 'string' },
  ]);
  const bytes = encodeWith(avroWriter, [], { schema: await avroWriter.compileSchema!(schema), options: { framing: 'container' } });
  for (const value of await decodeEveryWay('avro', bytes, {})) expectColumns(value, ['id', 'name']);
});

const row = record('Row', [
  { name: 'id', type: 'long' },
  { name: 'name', type: 'string' },
]);

/** Decodes data with the schema of an object whose only key is `rows`, an array of these items, and expects columns; none if undefined. */
async function expectItems(items: unknown, keys: readonly string[] | undefined, options?: object): Promise<void> {
  const schema = await avro.compileSchema!(record('Root', [{ name: 'rows', type: { type: 'array', items } }]));
  for (const value of await decodeEveryWay('avro', Uint8Array.of(0), { schema, options }))
    expectColumns((value as { rows: unknown }).rows, keys ?? []);
}

test('an empty list of a union of Avro has the columns of its only record', async () => {
  await expectItems(['null', row], ['id', 'name']);
  await expectItems(['string', row], ['id', 'name']);
  await expectItems(['null', row], ['Row'], { unions: 'wrapped' });
  await expectItems([row, record('Other', [{ name: 'key', type: 'long' }])], undefined, { unions: 'plain' });
  await expectItems(['null', 'string'], undefined);
});

test('a sequence of a union of Avro without values has the columns of its only record', async () => {
  const schema = await avro.compileSchema!(['null', row]);
  for (const value of await decodeEveryWay('avro', new Uint8Array(0), { schema, options: { sequence: true } })) expectColumns(value, ['id', 'name']);
});

test.each([
  ['records', row],
  ['a union with one record', ['null', row]],
])("an empty list of %s that is the default of a reader's schema in Avro has columns", async (_, items) => {
  const schema = await avro.compileSchema!({
    writer: record('Root', [{ name: 'id', type: 'long' }]),
    reader: record('Root', [
      { name: 'id', type: 'long' },
      { name: 'rows', type: { type: 'array', items }, default: [] },
      { name: 'names', type: { type: 'array', items: 'string' }, default: [] },
    ]),
  });
  for (const value of await decodeEveryWay('avro', Uint8Array.of(2), { schema })) {
    expectColumns((value as { rows: unknown }).rows, ['id', 'name']);
    expectColumns((value as { names: unknown }).names, []);
  }
});

test('an empty list of a union of Bebop has the columns of its items', async () => {
  const schema = await bebop.compileSchema!({
    bop: 'union Event { 1 -> struct Started { int32 id; } 2 -> struct Ended { bool ok; } } struct Root { Event[] events; }',
    record: 'Root',
  });
  for (const value of await decodeEveryWay('bebop', new Uint8Array(4), { schema }))
    expectColumns((value as { events: unknown }).events, ['discriminator', 'value']);
});

test('a table of Arrow without rows has the columns of its schema if its values are read one by one', async () => {
  const table = { id: vectorFromArray([], new Int32()), name: vectorFromArray([], new Utf8()) };
  const bytes = tableToIPC(new Table(table as never), 'stream');
  for (const value of await decodeEveryWay('arrow', bytes, {})) expectColumns(value, ['id', 'name']);
});
