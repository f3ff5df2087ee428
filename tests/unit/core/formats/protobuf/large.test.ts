import { describe, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import { ProtobufReader } from '../../../../../core/formats/protobuf/reader.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import type { Format } from '../../../../../core/format/format.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from './compare.ts';
import { Dice, randomMessage, randomProto, type Syntax } from './random.ts';

/** The format, with messages of more than `large` bytes read as they arrive. */
const largeFrom = (large: number): Format<ProtobufOptions, ProtobufSchema> => ({
  createReader: (sink, options, limits, schema) => new ProtobufReader(sink, options, limits, schema, large),
});

const compile = async (proto: string, message: string): Promise<ProtobufSchema> => (await protobuf.compileSchema!({ proto, message }))!;

describe('a message that is read as it arrives', () => {
  test.each<Syntax>(['proto2', 'proto3', '2023'])('decodes to the same value as a message that is read once complete, in %s', async (syntax) => {
    for (let seed = 0; seed < caseCount(80); seed += 1) {
      const dice = new Dice(seed + 77);
      const proto = randomProto(dice, syntax);
      const schema = await compile(proto, 't.M0');
      for (let i = 0; i < 8; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: i % 2 === 0, unknown: true }));
        const options: ProtobufOptions = {
          defaults: dice.pick(['none', 'implicit', 'all']),
          unknown: dice.pick(['keep', 'drop']),
          oneofs: dice.chance(0.3),
          partial: true,
        };
        const whole = outcome(() => decodeWith(protobuf, bytes, { schema, options }));
        const format = largeFrom(dice.pick([0, 3, 10, 40, 200]));
        const chunkSizes = dice.chance(0.3) ? Array.from(bytes, () => 1) : Array.from({ length: 20 }, () => 1 + dice.below(40));
        try {
          for (const sizes of [[], chunkSizes]) {
            assertSame(
              outcome(() => decodeWith(format, bytes, { schema, options, chunkSizes: sizes })),
              whole,
            );
          }
        } catch (error) {
          throw new Error(`seed ${seed}, message ${i}: ${JSON.stringify(options)}\n${proto}\n${hex(bytes)}`, { cause: error });
        }
      }
    }
  });

  test('decodes to the same value or error in every cut, damaged or not', async () => {
    for (let seed = 0; seed < caseCount(60); seed += 1) {
      const dice = new Dice(seed + 500);
      const schema = await compile(randomProto(dice, dice.pick(['proto2', 'proto3', '2023'])), 't.M0');
      const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: false, unknown: true }));
      if (bytes.length > 150) continue;
      const format = largeFrom(dice.pick([0, 5, 20]));
      sameInEveryCut(format, bytes, { schema, options: { partial: true } });
      if (bytes.length > 0) bytes[dice.below(bytes.length)]! ^= 1 << dice.below(8);
      sameInEveryCut(format, bytes, { schema });
    }
  });
});
