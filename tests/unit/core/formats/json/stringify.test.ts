import { describe, expect, it } from 'vitest';
import { encodeSync } from '../../../../../main/sync.ts';
import json from '../../../../../core/formats/json/writer.ts';
import { encodeErrorOf, encodeWith } from '../../../../setup/ways/encode-with.ts';
import fc from '../../../../setup/properties/property.ts';

const decoder = new TextDecoder();

/** Text written by every code path, or the error. */
function textOf(value: unknown): string {
  try {
    const text = decoder.decode(encodeSync(json, value));
    for (const chunk of [1, 13]) expect(decoder.decode(encodeWith(json, value, { inTurns: true, chunk }))).toBe(text);
    return text;
  } catch (error) {
    expect(error).toMatchObject({ name: 'EncodeError' });
    return 'refused';
  }
}

/** Result of the engine's own JSON.stringify; undefined for some values. */
function expected(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'refused';
  } catch {
    return 'refused';
  }
}

/** Object or function whose `toJSON` returns its key, its own value, or another. */
function asked(inner: unknown, kind: number): unknown {
  const target: object = kind % 2 === 0 ? { inner } : () => inner;
  const answers: (() => (key: string) => unknown)[] = [
    () => (key) => key,
    () => () => inner,
    () => (key) => ({ [key]: inner }),
    () =>
      function () {
        return [inner];
      },
    () => () => undefined,
    () => () => Symbol('no'),
    () => () => Object('boxed'),
  ];
  return Object.assign(target, { toJSON: answers[kind % answers.length]!() });
}

const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, Symbol('s'), 1n, () => 1, new Date(0), new Date(Number.NaN), new Map([[1, 2]]), new Set([1]), /x/),
      fc.constantFrom<object>(
        Object(1),
        Object('s'),
        Object(false),
        Object(Symbol('s')),
        Object.assign(Object('with'), { key: 1 }),
        new Uint8Array(2),
      ),
      fc.constantFrom<object>(
        { [Symbol.toStringTag]: 'Number' },
        { [Symbol.toStringTag]: 'String', toString: () => 'no' },
        Object.create({ inherited: 1 }) as object,
      ),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 4 }),
    fc.tuple(tie('value'), fc.nat(20)).map(([inner, kind]) => asked(inner, kind)),
    fc.array(tie('value'), { maxLength: 3 }).map((list) => Object.assign(list, { toJSON: (key: string) => [key, list.length] })),
  ),
}));

describe('JSON writer', () => {
  it('matches JSON.stringify for functions, symbols, boxed primitives and toJSON anywhere', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (value, isLong) => {
        // Among many other values it is walked.
        const given = isLong ? { before: Array.from({ length: 5_000 }, (_, index) => index), value, list: [1, value] } : value;
        expect(textOf(given)).toBe(expected(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches JSON.stringify if BigInt.prototype has a toJSON', () => {
    const prototype = BigInt.prototype as { toJSON?: unknown };
    prototype.toJSON = function (this: bigint, key: string) {
      return `${key}: ${this}`;
    };
    try {
      for (const value of [1n, [1n, 2n], { a: 1n, b: [Object(2n)] }, Array.from({ length: 5_000 }, (_, index) => BigInt(index))]) {
        expect(textOf(value)).toBe(JSON.stringify(value));
      }
      expect(decoder.decode(encodeSync(json, [1n], { options: { bigints: 'number' } }))).toBe('[1]');
    } finally {
      delete prototype.toJSON;
    }
  });

  it('keeps a function with a toJSON next to an object whose toJSON uses its key', () => {
    const toJSON = (): string => 'fn';
    const value = { a: Object.assign(() => 1, { toJSON }), b: { toJSON: (key: string) => key } };
    expect(textOf(value)).toBe('{"a":"fn","b":"b"}');
  });

  it('counts the levels that come through toJSON', () => {
    const nested = (levels: number): unknown => ({ toJSON: () => (levels === 0 ? 1 : { a: nested(levels - 1) }) });
    let calls = 0;
    const endless = (): object => ({
      toJSON() {
        calls += 1;
        return { a: endless() };
      },
    });
    for (const options of [{}, { nonFinite: 'error' }]) {
      expect(decoder.decode(encodeWith(json, [nested(9)], { options, limits: { depth: 10 } }))).toBe(JSON.stringify([nested(9)]));
      expect(encodeErrorOf(json, [nested(10)], { options, limits: { depth: 10 } })).toMatchObject({ code: 'depth' });
      expect(encodeErrorOf(json, [1, nested(500)], { options, limits: { depth: 500 } })).toMatchObject({ code: 'depth' });
      expect(encodeErrorOf(json, [endless()], { options })).toMatchObject({ code: 'depth' });
    }
    expect(() => encodeSync(json, nested(11), { limits: { depth: 10 } })).toThrow(expect.objectContaining({ code: 'depth', format: 'json' }));
    // The engine exhausts its stack once, not at each level.
    expect(calls).toBeLessThan(100_000);
  });

  it.each([{}, { nonFinite: 'error' }])('rejects an iterator inside a value and names its path (%j)', (options) => {
    async function* later(): AsyncGenerator {
      yield 1;
    }
    const iterators = [later(), [1].values(), new Map([[1, 2]]).entries(), { [Symbol.asyncIterator]: () => later() }, new ReadableStream()];
    for (const iterator of iterators) {
      const error = { code: 'unsupported', path: ['rows', 1] };
      expect(encodeErrorOf(json, { rows: [1, iterator] }, { options })).toEqual(error);
      expect(encodeErrorOf(json, { rows: [1, iterator], before: 'x'.repeat(300_000) }, { options, inTurns: true })).toEqual(error);
    }
  });

  it.each([{}, { nonFinite: 'error' }])('rejects an iterator or a Promise that a toJSON returns, and writes an empty object (%j)', (options) => {
    const answers: (() => unknown)[] = [() => [1].values(), () => new ReadableStream(), () => Promise.resolve(1), () => new URLSearchParams()];
    for (const toJSON of answers) {
      for (const before of ['short', 'x'.repeat(300_000)]) {
        expect(encodeErrorOf(json, { before, rows: [1, { toJSON }] }, { options })).toEqual({ code: 'unsupported', path: ['rows', 1] });
        const deeper = { toJSON: () => ({ inner: toJSON() }) };
        expect(encodeErrorOf(json, { before, deeper }, { options })).toEqual({ code: 'unsupported', path: ['deeper', 'inner'] });
      }
    }
    const value = [{ toJSON: () => ({ a: {}, b: '{}' }) }, { c: {} }];
    expect(decoder.decode(encodeWith(json, value, { options }))).toBe(JSON.stringify(value));
  });
});
