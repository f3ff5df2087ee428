import { describe, expect, test } from 'vitest';
import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { stationsCall } from '../../../../demo/server/data/small-calls.mjs';
import type { EncodedForm } from '../../../../devtools-extension/reading/protocol.ts';
import { inferForm } from '../../../../devtools-extension/reading/infer/index.ts';
import { inferJsBinary } from '../../../../devtools-extension/reading/infer/jsbinary.ts';
import { type Encoded, encodeIn, formName, FORMS } from '../../../../devtools-extension/reading/what-if/forms.ts';
import { encodeWhole } from '../../../../devtools-extension/reading/whole-values/whole-value.ts';
import { tryForm, valueOf } from '../../../../devtools-extension/reading/what-if/try-forms.ts';
import type { CapnProtoSchema } from '../../../../core/formats/capnproto/schema/schema.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import fc from '../../../setup/properties/property.ts';
import { forSchema, plain } from '../../core/formats/avro/random.ts';
import { encode as encodeByReference } from '../../core/formats/capnproto/encode.ts';
import { bufferOf, encode as encodeJsBinaryByReference } from '../../core/formats/jsbinary/reference.ts';

async function tryAll(value: unknown): Promise<Map<string, EncodedForm>> {
  const forms = new Map<string, EncodedForm>();
  for (const [index, form] of FORMS.entries()) forms.set(formName(form), await tryForm(value, index));
  return forms;
}

/** Encodes a value in a format's first form. */
const encodeAs = (format: FormatId, value: unknown): Promise<Encoded> =>
  encodeIn(
    FORMS.find((form) => form.format === format)!,
    value,
  );

test('“what if” has a form for every format', () => {
  expect(new Set(FORMS.map(({ format }) => format))).toEqual(new Set(FORMATS.map(({ id }) => id)));
});

test('“what if” measures each form on typical rows', async () => {
  for (const [name, form] of await tryAll({ trips: createTripSource(1).take(50) })) {
    expect(form.problem, name).toBeUndefined();
    expect(form.lost ?? [], name).toEqual([]);
    expect(form.size, name).toBeGreaterThan(2_000);
    expect(form.gzip, name).toBeLessThan(form.size);
    expect(form.decode, name).toBeGreaterThan(0);
  }
});

test('“what if” marks inferred schemas, whose forms are the smallest', async () => {
  const forms = await tryAll(stationsCall(1));
  for (const name of ['Protocol Buffers', 'Avro', 'Bebop', 'FlatBuffers', 'Cap’n Proto', 'js-binary']) {
    expect(forms.get(name)!.note, name).toContain('schema inferred from this value');
    expect(forms.get(name)!.size, name).toBeLessThan(forms.get('JSON')!.size);
  }
});

test.each([false, true])('“what if” writes a body by its own schema with the same bytes (sequence: %s)', async (sequence) => {
  const proto = `syntax = "proto3"; import "google/protobuf/any.proto"; import "google/protobuf/timestamp.proto";
    message Order { int64 order_id = 1; repeated string tag_names = 2; google.protobuf.Timestamp placed_at = 3; google.protobuf.Any any_detail = 4; }`;
  const schema = await protobuf.compileSchema!({ proto, message: 'Order' });
  const order = { order_id: 7n, tag_names: ['a', 'b'], placed_at: new Date(5_000), any_detail: { type_url: 'a.test/X', value: Uint8Array.of(8, 1) } };
  const bytes = await encodeWhole('protobuf', sequence ? [order, order] : order, { names: 'proto', sequence }, schema);
  const value = await valueOf({ bytes, format: 'protobuf', sequence }, schema);
  const index = FORMS.findIndex(({ format }) => format === 'protobuf');
  const own = { format: 'protobuf', schema, sequence } as const;
  expect(await tryForm(value, index, own)).toMatchObject({ size: bytes.length, note: 'schema of this body' });
  expect((await tryForm(value, index, own)).lost).toBeUndefined();
});

test('“what if” names in its row what a format does not preserve', async () => {
  const forms = await tryAll({ id: 1, when: new Date(5), big: 2n ** 62n, zero: -0, nothing: undefined, none: null, raw: Uint8Array.of(1, 2) });
  const lost = (name: string): string[] => forms.get(name)!.lost?.toSorted() ?? [];
  expect(lost('JSON')).toEqual(['1 bigint as text', '1 bytes as text', '1 date as text', '1 undefined left out', '1 −0 as 0']);
  expect(lost('BSON')).toEqual(['1 undefined as null']);
  expect(lost('Protocol Buffers')).toEqual(['1 date as number', '1 null left out', '1 undefined left out']);
  expect(forms.get('js-binary')!.problem).toContain('4611686018427387904');
});

test('“what if” explains why a value has no schema', async () => {
  const forms = await tryAll({ list: [1, 'two', [3]] });
  expect(forms.get('Protocol Buffers')!.problem).toContain('several types');
  expect(forms.get('Avro')).not.toHaveProperty('problem');
  expect(forms.get('js-binary')).not.toHaveProperty('problem');
});

test('each form preserves a value, or its row names the differences', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), async (value) => {
      for (const [name, { problem, lost = [] }] of await tryAll(value)) {
        if (problem !== undefined) expect(problem, name).not.toMatch(/Cannot read|is not a function|undefined/);
        // Only absent values may come back differently.
        for (const difference of lost) expect(difference, `${name}: ${JSON.stringify(value)}`).toMatch(/^\d+ (?:null|absent keys?|−0)/);
      }
    }),
    { numRuns: 40 },
  ));

describe('value written with an inferred schema', () => {
  const value = {
    rows: stationsCall(1).data,
    page: { number: 1, next: null },
    when: new Date(1_700_000_000_000),
    tags: ['a', 'b'],
    matrix: [[1, 2], [3]],
  };

  test('decodes as Avro with avsc', async () => {
    const plainValue = { ...value, when: 5 };
    const { bytes } = await encodeAs('avro', plainValue);
    const read = plain(forSchema(JSON.parse(inferForm(plainValue, 'avsc'))).fromBuffer(bytes)) as { rows: unknown[]; matrix: unknown };
    expect(read.rows).toHaveLength(value.rows.length);
    expect(read.matrix).toEqual(value.matrix);
  });

  test('matches the bytes of the package as js-binary', async () => {
    const rich = { ...value, least: -5000, most: 2 ** 40, list: [{ a: 1 }, { a: 300, b: true }] };
    const raw = Uint8Array.of(1, 2, 3);
    const { bytes } = await encodeAs('jsbinary', { ...rich, raw });
    expect(bytes).toEqual(encodeJsBinaryByReference(inferJsBinary({ ...rich, raw }).literal, { ...rich, raw: bufferOf(raw) }));
  });

  test('matches the length of the reference library’s output as Cap’n Proto', async () => {
    const simple = {
      name: 'Oak',
      id: 7,
      lat: 1.5,
      ok: true,
      tags: ['a', 'bc'],
      rows: [
        { x: 1, y: 'z' },
        { x: 2, y: 'w' },
      ],
      big: 2 ** 40,
    };
    const { bytes, schema } = await encodeAs('capnproto', simple);
    const known = schema as CapnProtoSchema;
    expect(bytes.length).toBe(encodeByReference({ schema: known, sizes: sizesOf(known) }, simple).length);
  });
});

/** Sizes of the structs' data sections and pointers, from the positions of their fields. */
function sizesOf({ structs, types }: CapnProtoSchema): { dataBytes: number; pointers: number }[] {
  const bits = [0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64];
  return structs.map(({ fields }) => {
    let data = 0;
    let pointers = 0;
    for (const { type, offset } of fields) {
      const size = bits[types[type]!.type] ?? 0;
      if (size === 0) pointers = Math.max(pointers, offset + 1);
      else data = Math.max(data, (offset + 1) * size);
    }
    return { dataBytes: Math.ceil(data / 64) * 8, pointers };
  });
}

test('a body is decoded for encoding, even Protocol Buffers without a schema', async () => {
  const bytes = Uint8Array.of(0x0a, 5, 0x41, 0x6c, 0x69, 0x63, 0x65, 0x10, 0x96, 1);
  const value = await valueOf({ bytes, format: 'protobuf', sequence: false }, undefined);
  const forms = await tryAll(value);
  expect(forms.get('JSON')!.problem).toBeUndefined();
});
