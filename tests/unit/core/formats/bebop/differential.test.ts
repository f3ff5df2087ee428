import { describe, test } from 'vitest';
import bebop, { type BebopOptions } from '../../../../../core/formats/bebop/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { byNames, Dice, encode, expected, randomModel, randomValue, referenceOf } from './random.ts';

const SCHEMAS = caseCount(340);
const VALUES = 30;

function randomOptions(dice: Dice): BebopOptions {
  return {
    int64: dice.pick(['auto', 'auto', 'number', 'bigint', 'string']),
    enums: dice.pick(['number', 'name']),
    maps: dice.pick(['map', 'object']),
  };
}

/** Converts the frozen objects that the library makes of structs to plain ones. */
function thaw(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(thaw);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key as unknown, thaw(item)]));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, thaw(item)]));
}

describe('the reader', () => {
  test('decodes random values of random schemas from the reference library, in both schema forms', async () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const text = await bebop.compileSchema!({ bop: model.text, record: model.root });
      const binary = structuredClone(await bebop.compileSchema!({ bop: model.binary, record: model.root }))!;
      assertSame(byNames(text!), byNames(binary));
      for (let i = 0; i < VALUES; i += 1) {
        const value = randomValue(dice, model);
        const options = randomOptions(dice);
        const chunkSizes = dice.chance(0.5) ? Array.from({ length: 20 }, () => 1 + dice.below(40)) : [];
        const schema = dice.chance(0.5) ? text : binary;
        try {
          const bytes = encode(model, value);
          assertSame(decodeWith(bebop, bytes, { schema, options, chunkSizes }), expected(model, value, options));
          const theirs = thaw(referenceOf(model).reader.read(model.root, bytes));
          assertSame(decodeWith(bebop, bytes, { schema, options: { int64: 'bigint' }, chunkSizes }), theirs);
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}, ${JSON.stringify(options)}\n${model.text}`, { cause: error });
        }
      }
    }
  });

  test("decodes the reference library's bytes in every cut, also as a sequence", async () => {
    for (let seed = 0; seed < caseCount(40); seed += 1) {
      const dice = new Dice(seed + 5000);
      const model = randomModel(dice);
      const schema = await bebop.compileSchema!({ bop: model.binary, record: model.root });
      const values = [randomValue(dice, model), randomValue(dice, model)];
      const bytes = values.map((value) => encode(model, value));
      if (bytes[0]!.length === 0 || bytes[1]!.length === 0 || bytes[0]!.length + bytes[1]!.length > 200) continue;
      const options = randomOptions(dice);
      const results = values.map((value) => expected(model, value, options));
      assertSame(sameInEveryCut(bebop, bytes[0]!, { schema, options }), { value: results[0] });
      const both = Uint8Array.from(bytes.flatMap((item) => [...item]));
      assertSame(sameInEveryCut(bebop, both, { schema, options: { ...options, sequence: true } }), { value: results });
      // Damaged bytes, too, must give the same result in every cut.
      both[dice.below(both.length)]! ^= 1 << dice.below(8);
      sameInEveryCut(bebop, both, { schema, options: { ...options, sequence: true } });
    }
  });

  test("decodes the reference library's bytes through a block", async () => {
    for (let seed = 0; seed < caseCount(100); seed += 1) {
      const dice = new Dice(seed + 7000);
      const model = randomModel(dice);
      const schema = await bebop.compileSchema!({ bop: model.text, record: model.root });
      const value = randomValue(dice, model);
      const bytes = encode(model, value);
      const options = randomOptions(dice);
      const result = await throughBlock((sink) => {
        const reader = bebop.createReader(sink, options, resolveLimits(), schema);
        reader.push(bytes.subarray(0, 20));
        reader.push(bytes.subarray(20));
        reader.end();
      });
      assertSame(result, expected(model, value, options));
    }
  });
});
