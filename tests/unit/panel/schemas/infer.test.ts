import { describe, expect, test } from 'vitest';
import { inferForm } from '../../../../devtools-extension/reading/infer/index.ts';
import { protoOf } from '../../../../devtools-extension/reading/infer/protobuf.ts';
import { typescriptOf } from '../../../../devtools-extension/reading/infer/typescript.ts';
import { encodeIn, FORMS } from '../../../../devtools-extension/reading/what-if/forms.ts';
import { valueOf } from '../../../../devtools-extension/reading/what-if/try-forms.ts';
import { compileSchema } from '../../../../devtools-extension/reading/schemas/compile-schema.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';

const VALUE = {
  page: 1,
  trips: [
    { id: 7, station: 'Oak', at: [1.5, -2], tags: ['a'], made: new Date(0), raw: Uint8Array.of(1, 2), note: null, 'end-station': 'Elm' },
    { id: -8, station: 'Elm', at: [], tags: [], made: new Date(1), raw: Uint8Array.of(3), note: 'late', 'end-station': 'Oak', extra: { ok: true } },
  ],
};

/** Encodes a value as "what if" does, and reads it with an inferred schema. */
async function read(format: FormatId, input: unknown): Promise<unknown> {
  const { bytes } = await encodeIn(
    FORMS.find((form) => form.format === format)!,
    VALUE,
  );
  return valueOf({ bytes, format, sequence: false }, await compileSchema({ name: String(Math.random()), format, input }));
}

describe('inferred schema', () => {
  test('decodes, as .proto, values encoded by the same rules', async () => {
    const found = await read('protobuf', { proto: protoOf(VALUE), message: 'Root' });
    expect(found).toMatchObject({
      page: 1,
      trips: [
        { id: 7, station: 'Oak', at: [1.5, -2] },
        { id: -8, note: 'late', extra: { ok: true } },
      ],
    });
    expect(protoOf(VALUE)).toContain('optional string end_station = 8 [json_name = "end-station"];');
    expect(protoOf(VALUE)).toContain('optional int64 made = 5; // ms since 1970');
  });

  test('decodes, as .avsc, values encoded with it', async () => {
    const found = await read('avro', JSON.parse(inferForm(VALUE, 'avsc')));
    expect(found).toMatchObject({ trips: [{ station: 'Oak', note: null }, { note: 'late' }] });
  });

  test('fails with a reason', () => {
    expect(() => protoOf({ a: [1, 'x'] })).toThrow('several types');
    expect(() => protoOf({ a: new Map() })).toThrow('Map');
  });
});

test('an inferred TypeScript type has unions, optional fields and lists', () => {
  expect(typescriptOf(VALUE)).toBe(`export interface Root {
  page: number;
  trips: Trips[];
}

export interface Trips {
  id: number;
  station: string;
  at: number[];
  tags: string[];
  made: Date;
  raw: Uint8Array;
  note: string | null;
  "end-station": string;
  extra?: Extra;
}

export interface Extra {
  ok: boolean;
}
`);
  expect(typescriptOf([1, 'x', null])).toBe('export type Value = (number | string | null)[];\n');
  expect(typescriptOf([])).toBe('export type Value = unknown[];\n');
});
