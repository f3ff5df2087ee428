/** Options that are proxies, such as those of a component's state, which cannot be posted to a worker as they are. */
import { afterAll, describe, expect, test } from 'vitest';
import type { AvroSchemaInput } from '../../../../core/formats/avro/options.ts';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, type Rows } from '../../../../main/index.ts';
import { FORMATS } from '../../../matrix/formats.ts';
import { AVRO, type Tree, tree } from '../../../matrix/schemas.ts';
import { reactive } from '../../../setup/values/reactive.ts';
import { openDecoder } from './support.ts';

const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: `name ${id % 40}`, x: id / 4 }));
const value = tree({ text: 'all', rows });

const encoder = createEncoder();
const decoders = {
  page: createDecoder({ route: 'page', syncBelow: 0 }),
  worker: createDecoder({ route: 'worker', syncBelow: 0, workers: 1 }),
};
afterAll(() => [encoder, ...Object.values(decoders)].forEach((each) => each.close()));

const withTags = {
  ...AVRO,
  fields: [...(AVRO as { fields: object[] }).fields, { name: 'tags', type: { type: 'array', items: 'string' }, default: ['a'] }],
};
const resolved = { writer: AVRO, reader: withTags } as unknown as AvroSchemaInput;

/** Options with structures, which a writer adds to, and a reader shares. */
function shared(): { options: { structures: string[][] }; writing: { structures: string[][]; records: true } } {
  const structures = [['id', 'name', 'x']];
  return { options: { structures }, writing: { structures, records: true } };
}
const structures = shared();
const packed = { packedValues: ['name 7', 'name 9'] };

/** Formats that write a tree, with options and schemas of each kind. */
const cases: { name: string; id: string; schema?: unknown; options?: object; writing?: object; more?: Partial<Tree> & object }[] = [
  ...FORMATS.filter(({ holds }) => /^(values|documents|trees|flat trees)$/.test(holds)),
  { name: 'MessagePack with shared structures', id: 'messagepack', ...structures, options: { ...structures.options, valueExtensions: [1, 2] } },
  { name: 'CBOR with shared structures', id: 'cbor', ...shared() },
  { name: 'CBOR with packed values', id: 'cbor', options: packed, writing: packed },
  { name: 'Avro with two schemas', id: 'avro', schema: resolved, more: { tags: ['a'] } as object },
];

describe.each(cases)('reactive options: $name', ({ id, schema, options, writing, more }) => {
  const written = async (): Promise<Uint8Array<ArrayBuffer>> =>
    await encoder.encode(value, { format: id, schema: schema === resolved ? AVRO : schema, options: writing } as never);

  test.each(['page', 'worker'] as const)('are those of a decode, of rows and of batches on the %s', async (route) => {
    const bytes = await written();
    const decoder = decoders[route];
    const given = { format: id, schema, options };
    expect(await decoder.decode(bytes, reactive({ ...given, limits: { depth: 20 } }) as never)).toMatchObject({ ...value, ...more });
    const decoded = (await decoder.decode(bytes, reactive({ ...given, as: 'rows' }) as never)) as { rows: Rows };
    expect(decoded.rows.toArray()).toEqual(rows);
    const found: unknown[] = [];
    for await (const batch of decoder.batches(new Blob([bytes]), reactive({ ...given, path: ['rows'] }) as never)) found.push(...(batch as object[]));
    expect(found).toEqual(rows);
  });

  test.each(['page', 'worker'] as const)('choose parts on the %s', async (route) => {
    const bytes = await written();
    const decoder = decoders[route];
    const given = { format: id, schema, options };
    const picked = { text: 'all', rows: rows.map((row) => ({ id: row.id })) };
    expect(await decoder.decode(bytes, reactive({ ...given, pick: ['text', ['rows', 'id']] }) as never)).toEqual(picked);
    const found: unknown[] = [];
    const batches = decoder.batches(new Blob([bytes]), reactive({ ...given, path: ['rows'], pick: [['rows', 'id']] }) as never);
    for await (const batch of batches) found.push(...(batch as object[]));
    expect(found).toEqual(picked.rows);
  });
});

test('reactive options of a decoder are those of its decodes in workers', async () => {
  const decoder = openDecoder(
    reactive({
      route: 'worker' as const,
      syncBelow: 0,
      limits: { depth: 20 },
      formatOptions: { messagepack: structures.options },
      schemas: { all: { format: 'avro' as const, schema: resolved } },
    }),
  );
  expect(
    await decoder.decode(await encoder.encode(value, { format: 'messagepack', options: structures.writing }), { format: 'messagepack' }),
  ).toEqual(value);
  const bytes = await encoder.encode(value, { format: 'avro', schema: AVRO as never });
  expect(await decoder.decode(bytes, { schema: 'all' })).toEqual({ ...value, tags: ['a'] });
  await decoder.preload(reactive(['avro' as const]));
});

test('reactive options of an encoder are those with which rows are written and compressed', async () => {
  const decoder = openDecoder();
  const read = await decoder.decode<{ rows: Rows }>(new TextEncoder().encode(JSON.stringify(value)), { as: 'rows' });
  const ways = [
    { format: 'messagepack', ...shared() },
    { format: 'cbor', options: packed, writing: packed },
    { format: 'avro', schema: AVRO, writing: { metadata: { a: 'b' } } },
    { format: 'protobuf', schema: FORMATS.find(({ id }) => id === 'protobuf')!.schema, writing: { extraKeys: 'skip' } },
  ];
  for (const { format, schema, options, writing } of ways) {
    const written = tree({ text: 'all', rows: read.rows as never });
    for (const compression of [undefined, 'gzip'] as const) {
      const bytes = await encoder.encode(written, reactive({ format, schema, options: writing, compression }) as never);
      expect(bytes.length).toBeGreaterThan(1000);
      if (!compression) expect(await decoder.decode(bytes, reactive({ format, schema, options }) as never)).toEqual(value);
    }
  }
});
