import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../core/errors.ts';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { bufferOf, compile, decode, encode } from './reference.ts';

const everyType = {
  uint: 'uint',
  int: 'int',
  float: 'float',
  string: 'string',
  buffer: 'Buffer',
  boolean: 'boolean',
  json: 'json',
  oid: 'oid',
  regex: 'regex',
  date: 'date',
  'absent?': 'uint',
  'there?': ['string'],
  list: [{ 'a?': 'uint', b: ['int'] }],
  inner: { deep: { deeper: 'string' }, nothing: {} },
};
const everyValue = {
  uint: 2 ** 40,
  int: -(2 ** 40),
  float: -0,
  string: 'größe 😀',
  buffer: bufferOf(Uint8Array.of(1, 2, 3)),
  boolean: true,
  json: { a: [1, -0.5, 'text \u0000 "é"', null, { __proto__: null, b: true }], c: {} },
  oid: '0102030405060708090a0b0c',
  regex: /a+/gm,
  date: new Date(1_700_000_000_000),
  there: ['a', 'b'],
  list: [{ a: 1, b: [-1, 64] }, { b: [] }],
  inner: { deep: { deeper: 'x' }, nothing: {} },
};

describe('reader', () => {
  test('decodes values of all types together', () => {
    const bytes = encode(everyType, everyValue);
    const { value } = sameInEveryCut(jsbinary, bytes, { schema: compile(everyType) }) as { value: { absent: unknown } };
    assertSame(value, decode(everyType, bytes));
    expect(Object.hasOwn(value, 'absent')).toBe(true);
  });

  test.each([
    ['uint', 'e01fffffffffffff', 2 ** 53 - 1, 2 ** 53 - 1],
    ['uint', 'e020000000000000', 2n ** 53n, 2 ** 53],
    ['uint', 'e020000000000001', 2n ** 53n + 1n, 2 ** 53],
    ['uint', 'ffffffffffffffff', 2n ** 61n - 1n, 2 ** 61],
    ['int', 'f000000000000000', -(2n ** 60n), -(2 ** 60)],
    ['int', 'ffdfffffffffffff', -(2n ** 53n) - 1n, -(2 ** 53)],
    ['int', 'ffe0000000000000', -(2n ** 53n), -(2 ** 53)],
    ['date', 'ffffffffffffffff', new Date(NaN), new Date(NaN)],
    // In more bytes than necessary.
    ['uint', '8001', 1, 1],
    ['int', 'dfffffff', -1, -1],
    ['int', 'e000000000000001', 1, 1],
  ])('decodes: %s %s', (type, bytes, exact, near) => {
    assertSame(sameInEveryCut(jsbinary, hex(bytes), { schema: compile(type) }), { value: exact });
    assertSame(decodeWith(jsbinary, hex(bytes), { schema: compile(type), options: { int64: 'number' } }), near);
  });

  test('decodes types that take no bytes', () => {
    assertSame(decodeWith(jsbinary, new Uint8Array(0), { schema: compile({ a: {}, b: { c: {} } }) }), { a: {}, b: { c: {} } });
    assertSame(sameInEveryCut(jsbinary, hex('03'), { schema: compile([{ a: {} }]) }), { value: [{ a: {} }, { a: {} }, { a: {} }] });
  });
});

describe('block', () => {
  test('carries rows of every type', async () => {
    const type = [everyType];
    const bytes = encode(
      type,
      Array.from({ length: 120 }, (_, i) => ({ ...everyValue, uint: i, string: `row ${i}`, ...(i % 3 ? { absent: i } : {}) })),
    );
    const schema = compile(type);
    const expected = decodeWith(jsbinary, bytes, { schema });
    for (const size of [bytes.length, 1000, 7]) {
      const value = await throughBlock((sink) => {
        const reader = jsbinary.createReader(sink, {}, resolveLimits(), schema);
        for (let at = 0; at < bytes.length; at += size) {
          const chunk = bytes.slice(at, at + size);
          reader.push(chunk);
          chunk.fill(0xff);
        }
        reader.end();
      });
      assertSame(value, expected);
    }
  });
});

describe('schema compiler', () => {
  test.each([
    ['an unknown type', { a: { b: ['number'] } }, 'unknown type "number" (at a.b[])'],
    ['a name of the package alone', '[array]', 'unknown type "[array]"'],
    ['an array of two types', { a: ['int', 'int'] }, 'exactly one element (at a)'],
    ['an empty array', [], 'exactly one element'],
    ['null', { a: null }, 'not null (at a)'],
    ['a number', 5, 'not 5'],
    ['nothing', undefined, 'not undefined'],
    ['a duplicate field', { a: 'int', 'a?': 'int' }, 'duplicate field "a"'],
  ])('rejects an invalid literal: %s', (_, literal, reason) => {
    expect(() => jsbinary.compileSchema!(literal, 'mine')).toThrow(reason);
    expect(() => jsbinary.compileSchema!(literal, 'mine')).toThrow(SchemaError);
    try {
      void jsbinary.compileSchema!(literal, 'mine');
    } catch (error) {
      expect((error as SchemaError).schema).toBe('mine');
    }
  });

  test('rejects a cyclic literal', () => {
    const type: Record<string, unknown> = {};
    type['self'] = type;
    expect(() => jsbinary.compileSchema!(type)).toThrow('nested too deep');
  });

  test('compiles an object used in several places once', () => {
    const twice = (leaf: object): object => {
      let type = leaf;
      for (let depth = 0; depth < 60; depth += 1) type = { a: type, 'b?': [type] };
      return type;
    };
    const schema = compile(twice({ c: 'uint' }));
    expect(schema.kinds.length).toBeLessThan(300);
    const value = decodeWith(jsbinary, Uint8Array.of(...new Array<number>(1).fill(7), ...new Array<number>(60).fill(0)), { schema });
    expect(JSON.stringify(value)).toBe(`${'{"a":'.repeat(60)}{"c":7}${'}'.repeat(60)}`);
  });

  test('accepts types that double values without bytes, and the reader bounds them', () => {
    let type: object = {};
    for (let depth = 0; depth < 900; depth += 1) type = { a: type, b: type };
    for (const [literal, bytes] of [
      [type, []],
      [[type], [1]],
      [{ x: 'uint', type }, [1]],
      [{ x: 'uint', list: [{ type }] }, [1, 1]],
    ] as const) {
      const decode = (): unknown => decodeWith(jsbinary, Uint8Array.from(bytes), { schema: compile(literal) });
      expect(decode).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'expansion' }));
    }
    expect(decodeWith(jsbinary, Uint8Array.of(0), { schema: compile([type]) })).toEqual([]);
  });

  test('accepts a type without bytes, and the reader rejects a sequence of its values', () => {
    const decode = (): unknown => decodeWith(jsbinary, Uint8Array.of(1), { schema: compile({}), options: { sequence: true } });
    expect(decode).toThrow(expect.objectContaining({ code: 'trailing-bytes', offset: 0 }));
  });

  test('throws a SchemaError if decoding lacks a schema', () => {
    expect(() => decodeWith(jsbinary, Uint8Array.of(1))).toThrow(SchemaError);
  });
});
