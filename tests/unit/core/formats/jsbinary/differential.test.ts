import { describe, expect, test } from 'vitest';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { literals, literalsWithValues as cases, valueOf } from './arbitrary.ts';
import { compile, decode, encode } from './reference.ts';

/** Cases per property, more than 10,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const RUNS = 2450;
const FEWER = 1225;
const FEW = 245;
const settings = { numRuns: RUNS };

const anyChunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 40 }),
  fc.integer({ min: 1, max: 7 }).map((size) => Array.from({ length: 500 }, () => size)),
);

describe('the reader', () => {
  test('agrees with the package on any value of any type', () => {
    fc.assert(
      fc.property(cases, anyChunks, ([literal, value], chunkSizes) => {
        const bytes = encode(literal, value);
        if (bytes.length === 0) return;
        const schema = compile(literal);
        const whole = decodeWith(jsbinary, bytes, { schema });
        assertSame(decodeWith(jsbinary, bytes, { schema, chunkSizes }), whole);
        assertSame(whole, decode(literal, bytes));
      }),
      { ...settings, numRuns: RUNS * 3 },
    );
  });

  test('agrees with the package on consecutive values', () => {
    fc.assert(
      fc.property(
        literals.chain((literal) => fc.tuple(fc.constant(literal), fc.array(valueOf(literal), { maxLength: 4 }))),
        anyChunks,
        ([literal, values], chunkSizes) => {
          const parts = values.map((value) => encode(literal, value));
          const schema = compile(literal);
          if (schema.empty[0]! > 0) return;
          const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
          const options = { sequence: true };
          const whole = decodeWith(jsbinary, bytes, { schema, options });
          assertSame(decodeWith(jsbinary, bytes, { schema, options, chunkSizes }), whole);
          assertSame(
            whole,
            parts.map((part) => decode(literal, part)),
          );
        },
      ),
      { ...settings, numRuns: FEWER },
    );
  });

  test('agrees with the package on any bytes that both decode', () => {
    fc.assert(
      fc.property(literals, fc.uint8Array({ minLength: 1, maxLength: 60 }), (literal, bytes) => {
        const options = { int64: 'number' };
        const ours = outcome(() => decodeWith(jsbinary, bytes, { schema: compile(literal), options, limits: { values: 10_000 } }));
        if ('value' in ours) assertSame(ours.value, decode(literal, bytes));
      }),
      { ...settings, numRuns: FEWER },
    );
  });

  test('gives the same result for values cut at every byte', () => {
    fc.assert(
      fc.property(cases, ([literal, value]) => {
        const bytes = encode(literal, value);
        if (bytes.length > 0 && bytes.length < 200) sameInEveryCut(jsbinary, bytes, { schema: compile(literal) });
      }),
      { ...settings, numRuns: FEW },
    );
  });
});

test('the reader treats __proto__ as a field, where the package sets the prototype', () => {
  const literal = JSON.parse('{"__proto__":"uint","a":"uint"}') as unknown;
  const value = JSON.parse('{"__proto__":7,"a":1}') as unknown;
  expect(Object.keys(decode(literal, Uint8Array.of(7, 1)) as object)).toEqual(['a']);
  assertSame(decodeWith(jsbinary, Uint8Array.of(7, 1), { schema: compile(literal) }), value);
});
