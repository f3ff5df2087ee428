import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import cbor from '../../../core/formats/cbor/index.ts';
import cborWriter from '../../../core/formats/cbor/writer.ts';
import json from '../../../core/formats/json/index.ts';
import type { JsonOptions } from '../../../core/formats/json/options.ts';
import messagepack from '../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../core/formats/messagepack/writer.ts';
import { createPartial, DecodeError, LimitError, type PartialOptions } from '../../../main/partial.ts';
import { decodeSync, encodeSync } from '../../../main/sync.ts';
import * as fc from '../../setup/properties/fast-check.ts';
import { assertSame, difference, outcome } from '../../setup/ways/differential.ts';
import { notPrefix } from '../../setup/values/prefix.ts';
import { cutEvery, decodeInPart } from '../../setup/ways/in-part.ts';

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Values after each chunk. */
function values(chunks: readonly string[], options?: PartialOptions<JsonOptions, undefined>): unknown[] {
  const partial = createPartial(json, options);
  return chunks.map((chunk) => {
    partial.push(chunk);
    return partial.value;
  });
}

const LONE = ['"a\ud800b"', '{"\udc00":["\ud83d\ude00\ud83d","\\\\\ud800"]}', `"${'x'.repeat(9_000)}\udfff"`];

test.each(LONE)('keeps lone surrogates of a text, as JSON.parse does, wherever it is cut', (text) => {
  for (let cut = 0; cut <= Math.min(text.length, 40); cut += 1) {
    const partial = createPartial(json);
    partial.push(text.slice(0, cut));
    void partial.value;
    partial.push(text.slice(cut));
    expect(partial.finish()).toEqual(JSON.parse(text));
  }
});

test('refuses a lone surrogate after a backslash, wherever the text is cut', () => {
  const text = '"\\\ud800"';
  for (let cut = 0; cut <= text.length; cut += 1) {
    const partial = createPartial(json);
    expect(() => {
      partial.push(text.slice(0, cut));
      void partial.value;
      partial.push(text.slice(cut));
      partial.finish();
    }).toThrow(DecodeError);
  }
});

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['json', 'json'],
  ['[object Object]', {}],
])('createPartial refuses %s as a format, and says what to pass', (name, format) => {
  expect(() => createPartial(format as typeof json)).toThrow(
    new TypeError(`invalid format: ${name}; expected the default export of a format's module`),
  );
});

/** Texts of JSON with white space, and with every character of a string escaped or not. */
const jsonText = fc
  .tuple(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), fc.boolean())
  .map(([value, space, escaped]) => {
    const text = JSON.stringify(value, undefined, space);
    return escaped ? text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
  });

/** True if an object has a key like an index, which comes before the others wherever it is written. */
const hasIndexKey = (text: string): boolean => /"\d+"\s*:/.test(text);

describe('a partial value of JSON', () => {
  test('grows as text arrives, and is complete at the end', () => {
    const partial = createPartial<{ name: string; tags: string[] }>(json);
    expect(partial.value).toBeUndefined();
    partial.push('{"name": "An');
    expect(partial.value).toEqual({ name: 'An' });
    partial.push('na", "tags": ["a", "b');
    expect(partial.value).toEqual({ name: 'Anna', tags: ['a', 'b'] });
    partial.push('c"]}');
    expect(partial.finish()).toEqual({ name: 'Anna', tags: ['a', 'bc'] });
  });

  test('adds a key once its value begins, and numbers and literals once they are complete', () => {
    expect(values(['{"a', '":', ' 1', '2', ',"b":tr', 'ue', ',"c":"', '"}'])).toEqual([
      {},
      {},
      {},
      {},
      { a: 12 },
      { a: 12, b: true },
      { a: 12, b: true, c: '' },
      { a: 12, b: true, c: '' },
    ]);
  });

  test('never cuts an escape, a surrogate pair or a code point', () => {
    expect(values(['["a\\', 'n', '\\u00', 'e9', '\\ud83d', '\\ude0', '0', '\\ud83d', 'x']).map((value) => (value as string[])[0])).toEqual([
      'a',
      'a\n',
      'a\n',
      'a\né',
      'a\né',
      'a\né',
      'a\né😀',
      'a\né😀',
      'a\né😀\ud83dx',
    ]);
    const partial = createPartial(json);
    const seen = new Set<unknown>();
    for (const byte of utf8('"é€😀"')) {
      partial.push(Uint8Array.of(byte));
      seen.add(partial.value);
    }
    expect([...seen]).toEqual(['', 'é', 'é€', 'é€😀']);
  });

  test('joins a surrogate pair that is split across two chunks of text', () => {
    expect(values(['["\ud83d', '\ude00"]'])).toEqual([[''], ['😀']]);
  });

  test('returns the same object until the value changes', () => {
    const partial = createPartial<{ a: { b: number[] }; c: string }>(json);
    partial.push('{"a":{"b":[1]},"c":"x');
    const first = partial.value;
    expect(partial.value).toBe(first);
    partial.push('\\');
    expect(partial.value).toBe(first);
    partial.push('ny');
    const second = partial.value;
    expect(second).not.toBe(first);
    expect(second!.a).toBe(first!.a);
    expect(first).toEqual({ a: { b: [1] }, c: 'x' });
    partial.push('"}');
    expect(partial.finish().a).toBe(first!.a);
  });

  test('creates new objects only along the open path', () => {
    const [first, second] = values(['[{"a":1},{"b":[{"c":2},{"d":"x', 'y']) as [[object, { b: [object, object] }], [object, { b: [object, object] }]];
    expect(second[0]).toBe(first[0]);
    expect(second[1].b[0]).toBe(first[1].b[0]);
    expect(second).not.toBe(first);
    expect(second[1]).not.toBe(first[1]);
    expect(second[1].b).not.toBe(first[1].b);
    expect(second[1].b[1]).not.toBe(first[1].b[1]);
  });

  test('includes the digits of an unfinished number with numbers: growing', () => {
    expect(values(['[-', '1', '.', '5e', '+', '1', ']'], { numbers: 'growing' })).toEqual([[], [-1], [-1], [-1.5], [-1.5], [-15], [-15]]);
    expect(() => createPartial(messagepack, { numbers: 'growing' })).toThrow(TypeError);
    expect(() => createPartial(json, { numbers: 'all' as 'growing' })).toThrow('invalid option numbers: all');
    expect(() => createPartial(json, { numbers: 'growing', options: { bigints: 'bigint' } })).toThrow('bigints');
  });

  test('keeps the position of a repeated key, and uses its last value', () => {
    expect(values(['{"a":1,"b":2,"a":"', 'x"}'])).toEqual([
      { a: '', b: 2 },
      { a: 'x', b: 2 },
    ]);
  });

  test('makes __proto__ an own property', () => {
    const [part, whole] = values(['{"__proto__":{"x":"a', 'b"}}']);
    expect(Object.entries(part as object)).toEqual([['__proto__', { x: 'a' }]]);
    expect(Object.entries(whole as object)).toEqual([['__proto__', { x: 'ab' }]]);
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
  });

  test('reads newline-delimited JSON as a growing list', () => {
    expect(values(['{"a":1}\n{"a"', ':"x', '"}\n'], { options: { sequence: true } })).toEqual([
      [{ a: 1 }, {}],
      [{ a: 1 }, { a: 'x' }],
      [{ a: 1 }, { a: 'x' }],
    ]);
  });

  test('copies the chunks that are pushed', () => {
    const partial = createPartial(json);
    const chunk = utf8('["abc"]');
    partial.push(chunk);
    chunk.fill(0x20);
    expect(partial.finish()).toEqual(['abc']);
  });

  test('rejects chunks that are neither text nor bytes, and chunks after the end', () => {
    const partial = createPartial(json);
    expect(() => partial.push(5 as unknown as string)).toThrow('expected a string, an ArrayBuffer or a view of one');
    partial.push('1');
    expect(partial.finish()).toBe(1);
    expect(() => partial.push(' ')).toThrow('the value is finished');
    expect(() => partial.finish()).toThrow('the value is finished');
  });

  test('equals the decoded value, however text and bytes are split', () => {
    fc.assert(
      fc.property(jsonText, fc.integer({ min: 1, max: 9 }), (text, step) => {
        const whole = { value: JSON.parse(text) as unknown };
        expect(difference(decodeInPart(createPartial(json), cutEvery(utf8(text), step), hasIndexKey(text)), whole)).toBeUndefined();
        const chunks = Array.from({ length: Math.ceil(text.length / step) }, (_, at) => text.slice(at * step, at * step + step));
        expect(difference(decodeInPart(createPartial(json), chunks, hasIndexKey(text)), whole)).toBeUndefined();
      }),
    );
  });

  test('equals the decoded value if no value is read before the end', () => {
    const value = { rows: Array.from({ length: 2_000 }, (_, id) => ({ id, text: `é ${id} "x"` })) };
    for (const size of [1, 100, 5_000, 1e6]) {
      const partial = createPartial(json);
      const text = JSON.stringify(value);
      for (let at = 0; at < text.length; at += size) partial.push(at % 3 === 0 ? text.slice(at, at + size) : utf8(text.slice(at, at + size)));
      assertSame(partial.finish(), value);
    }
  });
});

describe('errors of a partial value', () => {
  /** Name, message, place and path. */
  const errorOf = (decode: () => unknown): unknown => {
    try {
      return { value: decode() };
    } catch (error) {
      const { name, message, offset, path } = error as DecodeError;
      // The beginning of the payload is shown as far as it has arrived.
      return { name, message: message.replace(/; the payload begins with the text "(?:[^"\\]|\\.)*"/, ''), offset, path };
    }
  };

  test('throws the same errors as a decode for randomly damaged text', () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', '-', 'e', '\u0001', 'tru', '\\u12', '\\ud800'));
    fc.assert(
      fc.property(jsonText, change, fc.integer({ min: 1, max: 9 }), (text, [place, put], step) => {
        const at = place % (text.length + 1);
        const bytes = utf8(text.slice(0, at) + put + text.slice(at + 1));
        const partial = createPartial(json);
        const inPart = errorOf(() => {
          for (const chunk of cutEvery(bytes, step)) {
            partial.push(chunk);
            void partial.value;
          }
          return partial.finish();
        });
        expect(inPart).toEqual(errorOf(() => decodeSync(json, bytes)));
      }),
      { numRuns: 500 },
    );
  });

  test('throws the same error as a decode for bytes that are not UTF-8', () => {
    const bytes = Uint8Array.of(...utf8('{"a":"x'), 0xff, ...utf8('y","b":1}'));
    const partial = createPartial(json);
    let last: unknown;
    const error = errorOf(() => {
      for (const chunk of cutEvery(bytes, 1)) {
        partial.push(chunk);
        last = partial.value;
      }
    });
    expect(last).toEqual({ a: 'x' });
    expect(error).toEqual(errorOf(() => decodeSync(json, bytes)));
  });

  test('throws an error again on later calls, and keeps the value as it was', () => {
    const partial = createPartial(json);
    partial.push('{"a":[1,2],"b":"x');
    expect(partial.value).toEqual({ a: [1, 2], b: 'x' });
    partial.push('y\n');
    expect(partial.value).toEqual({ a: [1, 2], b: 'x' });
    expect(() => partial.push('z')).toThrow(DecodeError);
    expect(() => partial.finish()).toThrow('must be escaped (byte 18, at $.b)');
    expect(partial.value).toEqual({ a: [1, 2], b: 'x' });
  });

  test('is a beginning of the whole value at every cut, without a number of which digits may be missing', () => {
    const value = { a: [12, -3.5e21, 0.25], b: { c: 340, d: true, e: null }, f: 'é', g: 67 };
    const text = JSON.stringify(value);
    const messages: [typeof json | typeof messagepack | typeof cbor, Uint8Array][] = [
      [json, utf8(text)],
      [json, utf8(JSON.stringify(value, undefined, 1))],
      [messagepack, new Packr({ useRecords: false }).pack(value)],
      [cbor, new Encoder({ useRecords: false, mapsAsObjects: true }).encode(value)],
    ];
    for (const [format, bytes] of messages) {
      for (let cut = 0; cut < bytes.length; cut += 1) {
        for (const isAsked of [true, false]) {
          const partial = createPartial(format as typeof json);
          partial.push(bytes.slice(0, cut));
          const before = isAsked ? partial.value : undefined;
          expect(() => partial.finish()).toThrow(DecodeError);
          const last = partial.value;
          expect(last === undefined ? undefined : notPrefix(last, value), `cut at ${cut}`).toBeUndefined();
          if (isAsked) expect(last).toBe(before);
          expect(partial.state()).toBe(last === undefined ? 'absent' : 'partial');
        }
      }
    }
    for (let cut = 1; cut < text.length; cut += 1) {
      const partial = createPartial(json, { numbers: 'growing' });
      partial.push(text.slice(0, cut));
      const before = partial.value;
      expect(() => partial.finish()).toThrow(DecodeError);
      expect(partial.value).toBe(before);
    }
  });

  test('keeps the digits so far if the character after them is invalid', () => {
    const partial = createPartial(json, { numbers: 'growing' });
    partial.push('{"a":1,"b":2');
    const before = partial.value;
    expect(before).toEqual({ a: 1, b: 2 });
    expect(() => {
      partial.push('-');
      void partial.value;
      partial.push('3,');
      void partial.value;
      partial.push('');
    }).toThrow(DecodeError);
    expect(partial.value).toEqual(before);
  });

  test('throws a LimitError if the depth limit is exceeded', () => {
    const partial = createPartial(json, { limits: { depth: 3 } });
    partial.push('[[[[');
    expect(partial.value).toEqual([[[]]]);
    expect(() => partial.push(']')).toThrow(LimitError);
  });

  test('names an HTML page as such in the error', () => {
    const partial = createPartial(json);
    partial.push('<!doctype html>');
    expect(() => partial.finish()).toThrow('the payload is an HTML or XML document');
  });
});

describe('the state of a partial value', () => {
  test('reports each path of the last value as absent, partial or complete', () => {
    const partial = createPartial<{ a: { b: string[]; c: number } }>(json);
    expect(partial.state()).toBe('absent');
    partial.push('{"a":{"b":["x","y');
    expect(partial.state()).toBe('partial');
    expect(partial.state(['a'])).toBe('partial');
    expect(partial.state(['a', 'b'])).toBe('partial');
    expect(partial.state(['a', 'b', 0])).toBe('complete');
    expect(partial.state(['a', 'b', 1])).toBe('partial');
    expect(partial.state(['a', 'b', 2])).toBe('absent');
    expect(partial.state(['a', 'c'])).toBe('absent');
    expect(partial.state(['a', 'b', 0, 'length'])).toBe('absent');
    partial.push('"],"c":1');
    void partial.value;
    expect(partial.state(['a', 'b'])).toBe('complete');
    expect(partial.state(['a', 'b', 1])).toBe('complete');
    expect(partial.state(['a', 'c'])).toBe('absent');
    partial.push('}}');
    partial.finish();
    expect(partial.state()).toBe('complete');
    expect(partial.state(['a', 'c'])).toBe('complete');
  });

  test('reports a repeated key as partial again', () => {
    const partial = createPartial(json);
    partial.push('{"a":1,"b":2');
    partial.push(',"a":"x');
    expect(partial.value).toEqual({ a: 'x', b: 2 });
    expect(partial.state(['a'])).toBe('partial');
    expect(partial.state(['b'])).toBe('complete');
  });
});

describe('JSON within prose', () => {
  const read = (text: string, step: number): unknown => {
    const partial = createPartial(json, { prose: true });
    for (const chunk of cutEvery(utf8(text), step)) {
      partial.push(chunk);
      void partial.value;
    }
    return partial.finish();
  };

  test.each([
    ['in a Markdown code block', 'Here is [the] {result} you asked for:\n```json\n{ "a": [1, "]"] }\n```\nAnything else {"b": 2}?', { a: [1, ']'] }],
    ['an array after prose', 'Sure [1]! [ {"a":1} ] done', [{ a: 1 }]],
    ['without prose', '{"a":1}', { a: 1 }],
    ['an empty object', 'nothing: { } .', {}],
    ['after a bracket that belongs to the text', '{{[ ["x"]', [['x']]],
  ])('finds JSON: %s', (_, text, value) => {
    const whole = text.startsWith('{{[') ? `${text}]` : text;
    for (const step of [1, 2, 5, 1000]) expect(read(whole, step)).toEqual(value);
  });

  test('reports errors with the offset in the whole text', () => {
    expect(() => read('abc é {"a":tru!}', 1)).toThrow("expected true but found '!' after tru (byte 15, at $.a)");
    expect(() => read('abc {"a":', 2)).toThrow(expect.objectContaining({ code: 'truncated', offset: 9 }));
    expect(() => read('abc [1] {x}', 2)).toThrow('the text has no JSON object or array');
  });

  test('rejects prose without the option, and the option for other formats', () => {
    expect(() => values(['abc ', '{}', '{}'])).toThrow(DecodeError);
    expect(() => createPartial(cbor, { prose: true })).toThrow(TypeError);
  });
});

describe.each([
  { id: 'messagepack', format: messagepack, encode: (value: unknown) => encodeSync(messagepackWriter, value) },
  { id: 'cbor', format: cbor, encode: (value: unknown) => encodeSync(cborWriter, value) },
])('a partial value of $id', ({ format, encode }) => {
  test('extends strings by whole code points', () => {
    const bytes = encode({ a: ['', 'é😀'], long: 'x'.repeat(300) });
    const partial = createPartial<{ a: string[]; long: string }>(format);
    const seen = new Set<string>();
    const lengths = new Set<number>();
    for (const chunk of cutEvery(bytes, 1)) {
      partial.push(chunk);
      const part = partial.value;
      if (part?.a?.[1] !== undefined) seen.add(part.a[1]);
      if (part?.long !== undefined) lengths.add(part.long.length);
    }
    expect([...seen]).toEqual(['', 'é', 'é😀']);
    expect([...lengths]).toEqual(Array.from({ length: 301 }, (_, length) => length));
  });

  test('equals the decoded value, however the bytes are split', () => {
    const value = fc.anything({ maxDepth: 3, withDate: true, withMap: false, withSet: false, withTypedArray: false, withBigInt: false });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 5 }), (one, step) => {
        const encoded = outcome(() => encode(one));
        fc.pre('value' in encoded);
        const bytes = encoded.value as Uint8Array;
        const whole = outcome(() => decodeSync(format, bytes));
        const isLoose = hasIndexKey(JSON.stringify(one) ?? '');
        expect(difference(decodeInPart(createPartial(format), cutEvery(bytes, step), isLoose), whole)).toBeUndefined();
      }),
    );
  });

  test('throws the same errors as a decode for damaged bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.nat(255), (one, place, byte) => {
        const bytes = encode([one, 'text', { key: 'value' }]);
        bytes[place % bytes.length] = byte;
        const whole = outcome(() => decodeSync(format, bytes));
        const part = outcome(() => {
          const partial = createPartial(format);
          for (const chunk of cutEvery(bytes, 1)) {
            partial.push(chunk);
            void partial.value;
          }
          return partial.finish();
        });
        if ('error' in part && part.error.includes('a value that contains itself')) return;
        // An error quotes the beginning of a payload that is text, as far as it has come.
        const unquoted = (found: typeof whole): unknown =>
          'error' in found ? found.error.replace(/; the payload begins with the text .*/s, '') : found;
        expect(difference(unquoted(part), unquoted(whole))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('extensions in a partial value', () => {
  const shared = { id: 1 };
  const rich = {
    at: new Date(0),
    set: new Set([1, 'two', { three: 3 }]),
    map: new Map<unknown, unknown>([
      ['a', { b: 'text' }],
      ['c', [2, 'x']],
    ]),
    bytes: Uint8Array.of(1, 2, 3),
    rows: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
    pattern: /x/g,
    shared: [shared, shared],
    big: 2n ** 63n,
  };

  test.each([
    ['messagepack', messagepack, new Packr({ moreTypes: true, structuredClone: true }).pack(rich)],
    ['messagepack with bundled strings', messagepack, new Packr({ moreTypes: true, bundleStrings: true }).pack(rich)],
    ['cbor', cbor, new Encoder({ structuredClone: true, useRecords: true }).encode(rich)],
  ] as const)('decodes extensions like a decode of the whole: %s', (_, format, bytes) => {
    const whole = outcome(() => decodeSync(format as typeof messagepack, bytes));
    for (const step of [1, 3]) {
      expect(difference(decodeInPart(createPartial(format as typeof messagepack), cutEvery(bytes, step)), whole)).toBeUndefined();
    }
  });

  test('rejects a value that contains itself', () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    const partial = createPartial(messagepack);
    partial.push(new Packr({ structuredClone: true }).pack(cycle));
    expect(() => partial.finish()).toThrow('a value that contains itself cannot be given in part');
  });

  test('adds a CBOR string of indefinite length once it is complete', () => {
    const bytes = Uint8Array.of(0x81, 0x7f, 0x61, 0x61, 0x62, 0x62, 0x63, 0xff);
    const seen: unknown[] = [];
    const partial = createPartial(cbor);
    for (const chunk of cutEvery(bytes, 1)) {
      partial.push(chunk);
      seen.push(partial.value);
    }
    expect(seen.slice(0, -1)).toEqual(Array.from({ length: 7 }, () => []));
    expect(partial.finish()).toEqual(['abc']);
  });
});
