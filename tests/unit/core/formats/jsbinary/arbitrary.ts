import fc from '../../../../setup/properties/property.ts';
import { bufferOf } from './reference.ts';

const names = fc.constantFrom('id', 'name', 'größe', 'x', 'y', 'a b', '', '7', 'constructor');
const scalarTypes = ['uint', 'int', 'float', 'string', 'Buffer', 'boolean', 'json', 'oid', 'regex', 'date'] as const;

/** Type literals. */
export const literals: fc.Arbitrary<unknown> = fc.letrec<{ type: unknown }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'xsmall' },
    { weight: 3, arbitrary: fc.constantFrom(...scalarTypes) },
    { weight: 2, arbitrary: tie('type').map((item) => [item]) },
    {
      weight: 3,
      arbitrary: fc
        .uniqueArray(fc.tuple(names, fc.boolean(), tie('type')), { maxLength: 5, selector: ([name]) => name })
        .map((fields) => Object.fromEntries(fields.map(([name, optional, type]) => [optional ? `${name}?` : name, type]))),
    },
  ),
})).type;

const edges = [0, 63, 64, 127, 128, 8191, 8192, 16_383, 16_384, 2 ** 28 - 1, 2 ** 28, 2 ** 29 - 1, 2 ** 29, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
const uints = fc.oneof(fc.constantFrom(...edges), fc.nat(300), fc.maxSafeNat());
const ints = fc.oneof(
  fc.constantFrom(...edges.flatMap((edge) => [edge, -edge - 1, edge === 0 ? 0 : -edge]).filter(Number.isSafeInteger)),
  fc.maxSafeInteger(),
);
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('x'.repeat(127), 'x'.repeat(128), 'é'.repeat(100)));

const scalars: Record<(typeof scalarTypes)[number], fc.Arbitrary<unknown>> = {
  uint: uints,
  int: ints,
  float: fc.double(),
  string: texts,
  Buffer: fc.uint8Array({ maxLength: 20 }).map(bufferOf),
  boolean: fc.boolean(),
  json: fc.jsonValue({ maxDepth: 2 }),
  oid: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')),
  regex: fc.constantFrom(/a+/, /[/\]]/gi, /^é$/m, /(?:)/gim),
  date: uints.filter((time) => time <= 8.64e15).map((time) => new Date(time)),
};

/** Values of a type. */
export function valueOf(literal: unknown): fc.Arbitrary<unknown> {
  if (typeof literal === 'string') return scalars[literal as 'uint'];
  if (Array.isArray(literal)) return fc.array(valueOf(literal[0]), { maxLength: 3 });
  const fields = Object.entries(literal as object).map(([name, type]) => {
    const value = valueOf(type);
    return name.endsWith('?') ? fc.tuple(fc.constant(name.slice(0, -1)), fc.option(value, { nil: undefined })) : fc.tuple(fc.constant(name), value);
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries));
}

/** A type and a value of it. */
export const literalsWithValues = literals.chain((literal) => valueOf(literal).map((value) => [literal, value] as const));
