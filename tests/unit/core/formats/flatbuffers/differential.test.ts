import { describe, test } from 'vitest';
import flatbuffers, { type FlatBuffersOptions } from '../../../../../core/formats/flatbuffers/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { encode } from './encode.ts';
import { Dice, expected, randomSchema, randomValue } from './random.ts';
import { bfbsOf } from './reflection.ts';

const SCHEMAS = caseCount(340);
const VALUES = 30;

function randomOptions(dice: Dice): FlatBuffersOptions {
  return {
    int64: dice.pick(['auto', 'auto', 'number', 'bigint', 'string']),
    enums: dice.pick(['number', 'name']),
    defaults: dice.pick(['implicit', 'all', 'none']),
    vectors: dice.pick(['array', 'bytes', 'typed']),
  };
}

describe('FlatBuffers reader', () => {
  test('decodes random values of random schemas encoded by the reference library', () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed);
      const schema = randomSchema(dice);
      const compiled = structuredClone(flatbuffers.compileSchema!({ bfbs: bfbsOf(schema) }));
      assertSame(compiled, schema);
      for (let i = 0; i < VALUES; i += 1) {
        const value = randomValue(dice, schema);
        const options = { ...randomOptions(dice), sizePrefixed: dice.chance(0.2) };
        const forceDefaults = dice.chance(0.3);
        const bytes = encode(schema, value, {
          forceDefaults,
          identifier: schema.identifier || undefined!,
          sizePrefixed: options.sizePrefixed,
          shared: dice.chance(0.3),
        });
        const chunkSizes = dice.chance(0.3) ? Array.from({ length: 5 }, () => 1 + dice.below(50)) : [];
        const stepValues = 1 + (i % 9);
        try {
          assertSame(
            decodeWith(flatbuffers, bytes, { schema: compiled, options, chunkSizes, stepValues }),
            expected(schema, value, options, forceDefaults),
          );
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}, ${JSON.stringify(options)}`, { cause: error });
        }
      }
    }
  });

  test("decodes the reference library's buffers in every cut", () => {
    for (let seed = 0; seed < caseCount(60); seed += 1) {
      const dice = new Dice(seed + 5000);
      const schema = randomSchema(dice);
      const value = randomValue(dice, schema);
      const bytes = encode(schema, value, { sizePrefixed: true });
      if (bytes.length > 400) continue;
      const options: FlatBuffersOptions = { identifier: 'ignore', sizePrefixed: true };
      assertSame(sameInEveryCut(flatbuffers, bytes, { schema, options }), { value: expected(schema, value, options, false) });
    }
  });

  test("decodes a sequence of the reference library's buffers in every cut", () => {
    const dice = new Dice(9);
    const schema = randomSchema(dice);
    const values = Array.from({ length: 5 }, () => randomValue(dice, schema));
    const buffers = values.map((value) => encode(schema, value, { sizePrefixed: true }));
    const bytes = Uint8Array.from(buffers.flatMap((buffer) => [...buffer]));
    const options: FlatBuffersOptions = { identifier: 'ignore', sequence: true };
    assertSame(sameInEveryCut(flatbuffers, bytes, { schema, options }), { value: values.map((value) => expected(schema, value, options, false)) });
  });

  test("decodes the reference library's buffers through a block", async () => {
    for (let seed = 0; seed < caseCount(150); seed += 1) {
      const dice = new Dice(seed + 7000);
      const schema = randomSchema(dice);
      const value = randomValue(dice, schema);
      const bytes = encode(schema, value);
      const options = { ...randomOptions(dice), identifier: 'ignore' as const };
      const result = await throughBlock((sink) => {
        const reader = flatbuffers.createReader(sink, options, resolveLimits(), schema);
        if (seed % 2 === 0) reader.push(bytes);
        // A single chunk is read without copying.
        reader.end(seed % 2 === 0 ? undefined : bytes);
      });
      assertSame(result, expected(schema, value, options, false));
    }
  });
});
