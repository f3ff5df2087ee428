import { describe, expect, test } from 'vitest';
import avro, { type AvroOptions } from '../../../../../core/formats/avro/index.ts';
import type { AvroSchema } from '../../../../../core/formats/avro/schema/schema.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { Dice, forSchema, type Json, plain, SchemaMaker, ValueMaker } from './random.ts';

const SCHEMAS = caseCount(1000);
const VALUES = 12;
const compile = (json: unknown): AvroSchema => avro.compileSchema!(json) as AvroSchema;

function randomChunks(dice: Dice, length: number): number[] {
  const sizes: number[] = [];
  for (let at = 0; at < length; at += sizes.at(-1)!) sizes.push(1 + dice.below(dice.pick([2, 20, 200])));
  return sizes;
}

describe('Avro reader', () => {
  test.each([
    ['unions in the default form', 'auto', 'auto', 0],
    ['unions wrapped', true, 'wrapped', 10_000],
  ] as const)('agrees with avsc on random schemas and values: %s', (_, wrapped, unions, first) => {
    for (let seed = first; seed < first + SCHEMAS / 2; seed += 1) {
      const dice = new Dice(seed);
      const json = new SchemaMaker(dice).make();
      const type = forSchema(json, wrapped);
      const schema = compile(json);
      const options: AvroOptions = { unions };
      for (let i = 0; i < VALUES; i += 1) {
        const bytes = type.toBuffer(new ValueMaker(dice, json, wrapped).make(json)).slice();
        try {
          const expected = plain(type.fromBuffer(bytes));
          assertSame(decodeWith(avro, bytes, { schema, options }), expected);
          assertSame(decodeWith(avro, bytes, { schema, options, chunkSizes: randomChunks(dice, bytes.length) }), expected);
          if (bytes.length < 60) assertSame(sameInEveryCut(avro, bytes, { schema, options }), { value: expected });
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}: ${JSON.stringify(json)}`, { cause: error });
        }
      }
    }
  });

  test('agrees with avsc on sequences of data', () => {
    for (let seed = 0; seed < caseCount(100); seed += 1) {
      const dice = new Dice(seed);
      const json: Json = {
        type: 'record',
        name: 'Row',
        fields: [
          { name: 'i', type: 'int' },
          { name: 'rest', type: new SchemaMaker(dice).make() },
        ],
      };
      const type = forSchema(json);
      const maker = new ValueMaker(dice, json);
      const data = Array.from({ length: dice.below(20) }, () => type.toBuffer(maker.make(json)).slice());
      const bytes = Uint8Array.from(data.flatMap((datum) => [...datum]));
      const expected = data.map((datum) => plain(type.fromBuffer(datum)));
      const chunkSizes = randomChunks(dice, bytes.length);
      assertSame(decodeWith(avro, bytes, { schema: compile(json), options: { sequence: true }, chunkSizes }), expected);
    }
  });
});

/** Derives a reader's schema for data written with `json`: fields reordered, removed, added and renamed; types promoted. */
function evolve(dice: Dice, json: Json): Json {
  if (typeof json === 'string') {
    const promoted: Record<string, string[]> = {
      int: ['int', 'long', 'float', 'double'],
      long: ['long', 'double'],
      float: ['float', 'double'],
      string: ['string', 'bytes'],
      bytes: ['bytes', 'string'],
    };
    return dice.pick(promoted[json] ?? [json]);
  }
  if (Array.isArray(json)) return json;
  const { type, items, values, fields, symbols } = json as { [key: string]: Json };
  if (type === 'array') return { ...json, items: evolve(dice, items!) };
  if (type === 'map') return { ...json, values: evolve(dice, values!) };
  if (type === 'enum') return { ...json, symbols: dice.shuffled([...(symbols as string[]), 'Z']).filter((symbol) => symbol !== 'B'), default: 'Z' };
  if (type !== 'record') return dice.below(3) === 0 ? ['boolean', json] : json;
  const kept = (fields as { name: string; type: Json }[])
    .filter(() => dice.below(4) > 0)
    .map((field) => ({ ...field, type: evolve(dice, field.type) }));
  const renamed = kept.map((field) =>
    dice.below(4) === 0 && field.name !== 'again' ? { ...field, name: `new_${field.name}`, aliases: [field.name] } : field,
  );
  const added = ADDED.filter(() => dice.below(3) === 0).map((field, i) => ({ ...field, name: `added${i}` }));
  return { ...json, fields: dice.shuffled([...renamed, ...added]) };
}

const ADDED: { type: Json; default: unknown }[] = [
  { type: 'int', default: 7 },
  { type: 'double', default: -1.5 },
  { type: 'string', default: 'größer' },
  { type: ['null', 'string'], default: null },
  { type: { type: 'array', items: 'long' }, default: [1, 2, 3] },
  { type: { type: 'map', values: { type: 'array', items: 'string' } }, default: { a: ['x'], b: [] } },
  // avsc needs Node's Buffer for this default.
  ...('Buffer' in globalThis ? [{ type: 'bytes', default: 'ab\u00ff' }] : []),
];

test("resolves a reader's schema to the same values as avsc", () => {
  const pairs = caseCount(500);
  let cases = 0;
  let refused = 0;
  for (let seed = 0; seed < pairs; seed += 1) {
    const dice = new Dice(seed + 50_000);
    const maker = new SchemaMaker(dice, true);
    const json: Json = { type: 'record', name: 'Top', fields: Array.from({ length: 4 }, (_, i) => ({ name: `t${i}`, type: maker.make(2) })) };
    const readerJson = evolve(dice, json);
    const writer = forSchema(json, true);
    const reader = forSchema(readerJson, true);
    let resolver: unknown;
    try {
      resolver = reader.createResolver(writer);
    } catch {
      refused += 1;
      continue;
    }
    const schema = compile({ writer: json, reader: readerJson });
    for (let i = 0; i < 3; i += 1) {
      const bytes = writer.toBuffer(new ValueMaker(dice, json, true).make(json)).slice();
      try {
        const expected = rounded(plain(reader.fromBuffer(bytes, resolver)));
        const options: AvroOptions = { unions: 'wrapped' };
        assertSame(rounded(decodeWith(avro, bytes, { schema, options })), expected);
        if (bytes.length < 40) assertSame(rounded((sameInEveryCut(avro, bytes, { schema, options }) as { value: unknown }).value), expected);
      } catch (error) {
        // Bytes read as a string must be UTF-8; avsc replaces invalid bytes.
        if ((error as { code?: string }).code === 'invalid-utf8') continue;
        throw new Error(`seed ${seed}: ${JSON.stringify(json)} to ${JSON.stringify(readerJson)}`, { cause: error });
      }
      cases += 1;
    }
  }
  // Few pairs are refused, so most are compared, with three values each.
  expect(refused).toBeLessThan(pairs / 5);
  expect(cases).toBeGreaterThan(pairs * 2);
});

/** Rounds to a 32-bit float, which avsc does not do for an int read as a float. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Math.fround(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}
