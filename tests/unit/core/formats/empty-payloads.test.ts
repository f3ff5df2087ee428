import { describe, expect, test } from 'vitest';
import { createDecoder, type DecodeOptions } from '../../../../main/index.ts';
import { decodeSync } from '../../../../main/sync.ts';
import { DecodeSession } from '../../../../core/format/decode-session.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { needsSchema } from '../../../../core/formats/accept.ts';
import { ABOUT, FORMATS } from '../../../../core/formats/registry.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';
import { ObjectSink } from '../../../../core/sinks/objects/objects.ts';
import { openFolder } from '../../../setup/servers/folders.ts';

const NOTHING = new Uint8Array(0);
const flatbuffers = (await openFolder('fixtures', 'flatbuffers'))!;
const capnproto = (await openFolder('fixtures', 'capnproto'))!;

/** Formats without a schema. */
const FREE = FORMATS.filter((entry) => !needsSchema(entry)).map(({ id }) => id);

/** Code paths that pass an empty payload to a reader. */
const CODE_PATHS = {
  async decodeSync(id: FormatId, schema: unknown, options: object) {
    const format = await loadFormat(id);
    return decodeSync(format, NOTHING, { schema, options });
  },
  async 'a session with the whole input'(id: FormatId, schema: unknown, options: object) {
    const format = await loadFormat(id);
    const sink = new ObjectSink();
    new DecodeSession({ id, format, options, limits: resolveLimits(), schema }, sink).end(NOTHING);
    return sink.result;
  },
  async 'a session with pushed chunks'(id: FormatId, schema: unknown, options: object) {
    const format = await loadFormat(id);
    const sink = new ObjectSink();
    const session = new DecodeSession({ id, format, options, limits: resolveLimits(), schema }, sink);
    session.push(NOTHING);
    session.end();
    return sink.result;
  },
};

/** Schemas with a value that takes no bytes. */
const HAVE: [string, FormatId, unknown, unknown][] = [
  ['null', 'avro', 'null', null],
  ['a record without fields', 'avro', { type: 'record', name: 'R', fields: [] }, {}],
  [
    'a record of nulls and empty fixed values',
    'avro',
    {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'n', type: 'null' },
        { name: 'f', type: { type: 'fixed', name: 'F', size: 0 } },
      ],
    },
    { n: null, f: NOTHING },
  ],
  ['an object without fields', 'jsbinary', {}, {}],
  ['an object of empty objects', 'jsbinary', { a: {}, b: { c: {} } }, { a: {}, b: { c: {} } }],
  ['a struct without fields', 'bebop', { bop: 'struct S {}', record: 'S' }, {}],
  ['a struct of empty structs', 'bebop', { bop: 'struct S {} struct T { S s; S t; }', record: 'T' }, { s: {}, t: {} }],
  ['a message without fields', 'protobuf', { proto: 'syntax = "proto2"; message M { optional int32 a = 1; }', message: 'M' }, {}],
];

/** Schemas without such a value. */
const HAVE_NOT: [string, FormatId, unknown][] = [
  ...FREE.map((id): [string, FormatId, unknown] => [ABOUT[id].label, id, undefined]),
  ['Arrow', 'arrow', undefined],
  ['an int', 'avro', 'int'],
  ['a uint', 'jsbinary', 'uint'],
  ['an object with optional fields', 'jsbinary', { 'a?': 'uint' }],
  ['a struct with fields', 'bebop', { bop: 'struct S { byte a; }', record: 'S' }],
  ['a message', 'bebop', { bop: 'message S { 1 -> byte a; }', record: 'S' }],
  ['a table', 'flatbuffers', { bfbs: await flatbuffers.bytes('everything.bfbs') }],
  ['a struct', 'capnproto', { request: await capnproto.bytes('test.request'), struct: 'TestEmptyStruct' }],
];

const compiled = async (id: FormatId, schema: unknown): Promise<unknown> => {
  const format = await loadFormat(id);
  return schema === undefined ? undefined : await format.compileSchema!(schema);
};

describe.each(Object.entries(CODE_PATHS))('decoder, given an empty payload by %s', (_, decode) => {
  test.each(HAVE)('decodes it to %s of %s', async (_title, id, schema, value) => {
    expect(await decode(id, await compiled(id, schema), {})).toEqual(value);
  });

  test.each(HAVE_NOT)('rejects it as %s of %s', async (_title, id, schema) => {
    await expect(decode(id, await compiled(id, schema), {})).rejects.toMatchObject({ name: 'DecodeError', code: 'empty', offset: 0 });
  });

  test.each(HAVE)('decodes it to an empty sequence of %s of %s', async (_title, id, schema) => {
    expect(await decode(id, await compiled(id, schema), { sequence: true })).toEqual([]);
  });

  test.each(FREE)('decodes it to an empty sequence of %s', async (id) => {
    expect(await decode(id, undefined, { sequence: true })).toEqual([]);
  });
});

test('a value without bytes passes through columns', async () => {
  for (const [, id, schema] of HAVE) {
    const format = await loadFormat(id);
    const sink = new ColumnSink(() => {}, resolveLimits());
    const session = new DecodeSession({ id, format, options: {}, limits: resolveLimits(), schema: await compiled(id, schema) }, sink);
    session.end();
    expect(() => sink.finish()).not.toThrow();
  }
});

test('the tests of empty payloads cover every format', () => {
  const tried = new Set([...HAVE.map(([, id]) => id), ...HAVE_NOT.map(([, id]) => id)]);
  expect(FORMATS.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});

describe('decoder, given an empty payload', () => {
  const empty = { code: 'empty', offset: 0, reason: 'the payload is empty' };

  test.each<[string, DecodeOptions]>([
    ['of unknown format', {}],
    ['of a given format', { format: 'json' }],
    ['as rows', { as: 'rows' }],
  ])('throws at byte 0 on every code path: one %s', async (_, options) => {
    const decoder = createDecoder();
    const sources = { 'a buffer': NOTHING, 'a response': new Response(NOTHING), 'a stream': new Response(NOTHING).body! };
    for (const [name, source] of Object.entries(sources)) await expect(decoder.decode(source, options), name).rejects.toMatchObject(empty);
    await expect(decoder.batches(NOTHING, options).next()).rejects.toMatchObject(empty);
    decoder.close();
  });
});
