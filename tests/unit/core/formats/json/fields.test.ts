import { describe, expect, test } from 'vitest';
import json from '../../../../../core/formats/json/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { ColumnSink } from '../../../../../core/sinks/columns/columns.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import type { KeyList } from '../../../../../core/reading/sink-methods.ts';
import { assertSame, decodeWith, everyCut, outcome } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';

// Expected keys are read by a separate loop.

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Accepts no list of expected keys, so each key is read separately. */
class PlainSink extends ObjectSink {
  override listedKey = undefined as never;
}

/** Counts the keys that matched. */
class CountingSink extends ObjectSink {
  listed = 0;
  override listedKey(list: KeyList, index: number): void {
    this.listed += 1;
    super.listedKey(list, index);
  }
}

function readWith(sink: ObjectSink, text: string, limits: object = {}): unknown {
  const reader = json.createReader(sink, {}, resolveLimits(limits), undefined);
  reader.push(bytes(text));
  reader.end();
  return sink.result;
}

const key = fc.constantFrom('"a"', '"bb"', '"ccc"', '"dddd"', '"eeeee"', '"é"', '"日本語"', '"__proto__"', '"\\u0061"', '""');
const scalar = fc.constantFrom(
  '0',
  '-0',
  '7',
  '-12',
  '12345678',
  '123456789012',
  '40.755794',
  '-73.98765432101234567',
  '0.5',
  '1e5',
  '-1.5E-7',
  '12345678901234567890',
  'true',
  'false',
  'null',
  '""',
  '"text"',
  '"é\\n"',
  '"a long text of many words"',
  '[]',
  '{}',
  '[1,{"a":2}]',
  '{"a":{"bb":3}}',
);
const white = fc.constantFrom('', '', ' ', '\n  ', '\t\r\n        ');
const text = fc
  .tuple(fc.array(fc.array(fc.tuple(key, scalar), { maxLength: 5 }), { minLength: 1, maxLength: 6 }), white, white, white)
  .map(
    ([objects, before, colon, after]) =>
      `[${objects.map((fields) => `{${fields.map(([name, value]) => `${before}${name}:${colon}${value}${after}`).join(',')}}`).join(`,${before}`)}]`,
  );

describe('reader of expected keys', () => {
  test('emits keys by index in any notation', () => {
    for (const indent of [undefined, 2]) {
      const value = Array.from({ length: 20 }, (_, id) => ({ id, name: `n${id}`, at: id / 8, on: id % 2 === 0, none: null }));
      const sink = new CountingSink(() => undefined);
      assertSame(readWith(sink, JSON.stringify(value, null, indent)), value);
      expect(sink.listed).toBeGreaterThanOrEqual(5 * 18);
    }
  });

  test('returns the same values for any chunk size', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(1, 2, 3, 7, 30, 1_000_000), (input, size) => {
        const chunkSizes = Array.from({ length: Math.ceil(input.length / size) }, () => size);
        assertSame(decodeWith(json, bytes(input), { chunkSizes }), JSON.parse(input));
      }),
      { numRuns: 3_000 },
    );
  });

  test('returns the same values in every cut', () => {
    const rows = Array.from({ length: 4 }, (_, id) => ({
      id,
      name: 'a "b"',
      lat: 40.755794 + id,
      lng: -73.923429,
      long: 0.1234567890123456,
      on: true,
    }));
    const input = bytes(JSON.stringify({ rows, more: rows }));
    for (const chunkSizes of everyCut(input)) assertSame(decodeWith(json, input, { chunkSizes }), { rows, more: rows });
  });

  test('reports the same errors and offsets', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', ':', '{', '[', 'x', '1', '.', '\\', '\u0001', ' '),
        fc.boolean(),
        (input, place, damage, replace) => {
          const at = place % input.length;
          const damaged = input.slice(0, at) + damage + input.slice(replace ? at + 1 : at);
          assertSame(
            outcome(() => readWith(new ObjectSink(() => undefined), damaged)),
            outcome(() => readWith(new PlainSink(() => undefined), damaged)),
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('counts keys towards the limits', () => {
    const input = JSON.stringify(Array.from({ length: 5 }, (_, id) => ({ id, name: 'text' })));
    for (let values = 1; values <= 16; values += 1) {
      const limited = (sink: ObjectSink) => outcome(() => readWith(sink, input, { values }));
      assertSame(limited(new ObjectSink(() => undefined)), limited(new PlainSink(() => undefined)));
    }
    const short = outcome(() => readWith(new ObjectSink(() => undefined), input, { stringLength: 3 }));
    assertSame(
      short,
      outcome(() => readWith(new PlainSink(() => undefined), input, { stringLength: 3 })),
    );
  });

  test('stops comparing keys that rarely match', () => {
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${(index * 7919) % 20_011}`, index]));
    assertSame(decodeWith(json, bytes(JSON.stringify([value, value]))), [value, value]);
  });

  test('names the key in the path of an error', () => {
    const sink = new ColumnSink(() => undefined, resolveLimits());
    const reader = json.createReader(sink, {}, resolveLimits(), undefined);
    expect(() => reader.push(bytes('[{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":x}]'))).toThrow();
    expect(sink.path()).toEqual([3, 'b']);
  });
});
