import type { Message } from 'protobufjs';
import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bufbuildDecode, bufbuildMessage, descriptorSetOf, hex, protobufjsType, sorted } from './compare.ts';
import { Dice, randomMessage, randomProto, type Syntax } from './random.ts';

const SYNTAXES: readonly Syntax[] = ['proto2', 'proto3', '2023'];
const compile = async (proto: string, message = 't.M0'): Promise<ProtobufSchema> => (await protobuf.compileSchema!({ proto, message }))!;

/** The value, or `refused`: error texts differ between libraries. */
function attempt(decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    return 'refused';
  }
}

function decode(schema: ProtobufSchema, bytes: Uint8Array, options: ProtobufOptions, chunkSizes: number[] = []): unknown {
  return decodeWith(protobuf, bytes, { schema, options: { names: 'proto', ...options }, chunkSizes });
}

/** Sizes of a few random chunks. */
function randomChunks(dice: Dice, length: number): number[] {
  return Array.from({ length: dice.below(6) }, () => 1 + dice.below(Math.max(1, length / 2)));
}

describe.each(SYNTAXES)('Protocol Buffers reader of random %s messages', (syntax) => {
  const SCHEMAS = caseCount(36);
  const MESSAGES = 96;

  test('returns the same values as protobufjs', async () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed * 3 + SYNTAXES.indexOf(syntax));
      const proto = randomProto(dice, syntax);
      const schema = await compile(proto);
      const type = protobufjsType(proto, 't.M0');
      for (let i = 0; i < MESSAGES; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: i % 2 === 0, unknown: i % 4 === 3, wrongTypes: true }));
        const chunks = randomChunks(dice, bytes.length);
        const message = attempt(() => type.decode(bytes)) as 'refused' | Message;
        // protobufjs expects required fields in every piece of a split message, contrary to the specification.
        if (message === 'refused' && syntax === 'proto2') continue;
        const expected = (options: object): unknown =>
          message === 'refused' ? message : sorted(type.toObject(message, { longs: BigInt, ...options }));
        try {
          const none: ProtobufOptions = { int64: 'bigint', enums: 'name', defaults: 'none' };
          assertSame(sorted(attempt(() => decode(schema, bytes, none, chunks))), expected({ enums: String }));
          const all: ProtobufOptions = { int64: 'bigint', defaults: 'all' };
          assertSame(sorted(attempt(() => decode(schema, bytes, all))), expected({ defaults: true }));
        } catch (error) {
          throw new Error(`seed ${seed}, message ${i}\n${proto}\n${hex(bytes)}`, { cause: error });
        }
      }
    }
  });

  test('returns the same values as @bufbuild/protobuf, including unknown fields', async () => {
    for (let seed = 0; seed < SCHEMAS / 2; seed += 1) {
      const dice = new Dice(seed * 3 + SYNTAXES.indexOf(syntax));
      const schema = await compile(randomProto(dice, syntax));
      const desc = bufbuildMessage(descriptorSetOf(schema, 't', syntax), 't.M0');
      for (let i = 0; i < MESSAGES; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: i % 2 === 0, unknown: true, inRange: hasClosed(schema) }));
        const options: ProtobufOptions = { int64: 'bigint', unknown: 'keep', partial: true };
        try {
          assertSame(
            unknownSorted(attempt(() => decode(schema, bytes, options, randomChunks(dice, bytes.length)))),
            unknownSorted(attempt(() => bufbuildDecode(desc, bytes))),
          );
        } catch (error) {
          throw new Error(`seed ${seed}, message ${i}\n${hex(bytes)}`, { cause: error });
        }
      }
    }
  });

  test('returns objects with keys in schema order', async () => {
    for (let seed = 0; seed < caseCount(30); seed += 1) {
      const dice = new Dice(seed);
      const schema = await compile(randomProto(dice, syntax));
      const order = schema.messages[schema.root]!.fields.map(({ name }) => name);
      for (let i = 0; i < 20; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: i % 2 === 0 }));
        for (const defaults of ['none', 'implicit', 'all'] as const) {
          const keys = Object.keys(decode(schema, bytes, { defaults, partial: true }) as object);
          expect(keys).toEqual(order.filter((key) => keys.includes(key)));
        }
      }
    }
  });

  test('returns the same values in any chunks', async () => {
    for (let seed = 0; seed < caseCount(16); seed += 1) {
      const dice = new Dice(seed + 1000);
      const schema = await compile(randomProto(dice, syntax));
      for (let i = 0; i < 6; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: false, unknown: true }));
        if (bytes.length > 200) continue;
        sameInEveryCut(protobuf, bytes, { schema, options: { unknown: 'keep' } });
        // Damaged input must fail with the same error at the same offset.
        bytes[dice.below(bytes.length)]! ^= 1 << dice.below(8);
        try {
          sameInEveryCut(protobuf, bytes, { schema, options: { defaults: 'none' } });
        } catch (error) {
          throw new Error(`seed ${seed}, message ${i}\n${hex(bytes)}`, { cause: error });
        }
      }
    }
  });
});

/**
 * True if the schema has closed enums. In lists and maps of closed enums, @bufbuild/protobuf lets unnamed numbers
 * through; for single fields it loses them if the message has other unknown fields.
 */
const hasClosed = ({ enums }: ProtobufSchema): boolean => enums.some(({ closed }) => closed);

/** Sorts keys, and each message's unknown fields by their bytes. */
function unknownSorted(value: unknown): unknown {
  const result = sorted(value);
  const work = [result];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next !== 'object' || next === null || next instanceof Uint8Array) continue;
    for (const [key, inner] of Object.entries(next)) {
      if (key === '$unknown') (inner as object[]).sort((a, b) => (show(a) < show(b) ? -1 : 1));
      else work.push(inner);
    }
  }
  return result;
}

function show(field: object): string {
  return JSON.stringify(field);
}

test('decodes a sequence to the values of its messages', async () => {
  for (let seed = 0; seed < caseCount(100); seed += 1) {
    const dice = new Dice(seed);
    const schema = await compile(randomProto(dice, 'proto3'));
    const messages = Array.from({ length: dice.below(6) }, () =>
      Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: dice.chance(0.5) })),
    );
    const bytes = Uint8Array.from(messages.flatMap((message) => [...lengthOf(message), ...message]));
    const expected = messages.map((message) => decode(schema, message, {}));
    assertSame(decode(schema, bytes, { sequence: true }, randomChunks(dice, bytes.length)), expected);
    if (bytes.length < 200) assertSame(sameInEveryCut(protobuf, bytes, { schema, options: { names: 'proto', sequence: true } }), { value: expected });
  }
});

function lengthOf(message: Uint8Array): number[] {
  return message.length < 128 ? [message.length] : [(message.length & 127) | 128, message.length >> 7];
}
