import { describe, test } from 'vitest';
import capnproto, { type CapnProtoOptions } from '../../../../../core/formats/capnproto/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { encode } from './encode.ts';
import { Dice, expected, randomModel, randomValue } from './random.ts';

const SCHEMAS = caseCount(340);
const VALUES = 30;

function randomOptions(dice: Dice): CapnProtoOptions {
  return {
    int64: dice.pick(['auto', 'auto', 'number', 'bigint', 'string']),
    enums: dice.pick(['number', 'name']),
    defaults: dice.pick(['implicit', 'all', 'none']),
  };
}

describe("Cap'n Proto reader", () => {
  test('decodes random values of random schemas encoded by the reference library', () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      for (let i = 0; i < VALUES; i += 1) {
        const value = randomValue(dice, model);
        const packed = dice.chance(0.3);
        const options: CapnProtoOptions = { ...randomOptions(dice), packed: dice.pick(['auto', packed]) };
        const bytes = encode(model, value, packed);
        const chunkSizes = dice.chance(0.3) ? Array.from({ length: 5 }, () => 1 + dice.below(50)) : [];
        const stepValues = 1 + (i % 9);
        try {
          assertSame(decodeWith(capnproto, bytes, { schema: model.schema, options, chunkSizes, stepValues }), expected(model, value, options));
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}, ${JSON.stringify(options)}`, { cause: error });
        }
      }
    }
  });

  test("decodes a sequence of the reference library's messages in every cut", () => {
    for (const packed of [false, true]) {
      const dice = new Dice(9);
      const model = randomModel(dice);
      const values = Array.from({ length: 4 }, () => randomValue(dice, model));
      const bytes = Uint8Array.from(values.flatMap((value) => [...encode(model, value, packed)]));
      for (const setting of [packed, 'auto'] as const) {
        const options: CapnProtoOptions = { sequence: true, packed: setting };
        const result = sameInEveryCut(capnproto, bytes, { schema: model.schema, options });
        assertSame(result, { value: values.map((value) => expected(model, value, options)) });
      }
    }
  });

  test("decodes the reference library's messages through a block", async () => {
    for (let seed = 0; seed < caseCount(150); seed += 1) {
      const dice = new Dice(seed + 7000);
      const model = randomModel(dice);
      const value = randomValue(dice, model);
      const bytes = encode(model, value, dice.chance(0.5));
      const options = randomOptions(dice);
      const result = await throughBlock((sink) => {
        const reader = capnproto.createReader(sink, options, resolveLimits(), model.schema);
        if (seed % 2 === 0) reader.push(bytes);
        // A single chunk is read without copying.
        reader.end(seed % 2 === 0 ? undefined : bytes);
      });
      assertSame(result, expected(model, value, options));
    }
  });
});
