import { describe, expect, test } from 'vitest';
import { validateUtf8, decodeUtf8, isAscii } from '../../../../../core/bytes/text/text.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { assertSame, binaryKind, difference } from '../../../../setup/ways/differential.ts';

/** Sink over a window that contains `text`, with functions that send a key or a string from it as a reader does. */
function sinkOver(text: string): {
  sink: Sink & { readonly result: unknown };
  key: (part: string) => void;
  string: (part: string) => void;
} {
  const bytes = new TextEncoder().encode(text);
  const sink = new ObjectSink((tag, inner) => ({ tag, inner }));
  sink.window(bytes, new DataView(bytes.buffer), 0);
  const range = (part: string): [number, number, number] => {
    const from = new TextEncoder().encode(text.slice(0, text.indexOf(part))).length;
    return [from, from, from + new TextEncoder().encode(part).length];
  };
  return { sink, key: (part) => sink.key(...range(part)), string: (part) => sink.string(...range(part)) };
}

describe('the object sink', () => {
  test('preallocates declared items only up to a total of one million for long arrays', () => {
    const roomOf = (...counts: number[]): number | undefined => {
      const sink = new ObjectSink();
      for (const count of counts) sink.beginArray(count);
      for (let item = 0; item < 3; item += 1) sink.integer(item);
      return sink.longestList?.items.length;
    };
    expect(roomOf(700_000)).toBe(700_000);
    expect(roomOf(4_000_000_000)).toBe(3);
    expect(roomOf(700_000, 700_000)).toBe(3);
    expect(roomOf(700_000, 700_000, 1_000)).toBe(1_000);
  });

  test('keeps key order, the last value of duplicate keys at the first position, and __proto__ as a property', () => {
    const { sink, key, string } = sinkOver('b a __proto__ ключ');
    sink.beginObject(5, 0, 0);
    key('b');
    sink.integer(1, 0, 0);
    key('a');
    sink.float(-0, 0, 0);
    key('__proto__');
    sink.beginObject(0, 0, 0);
    sink.endObject(0);
    key('b');
    sink.undefined(0, 0);
    key('ключ');
    string('ключ');
    sink.endObject(0);
    const expected: Record<string, unknown> = { b: undefined, a: -0 };
    Object.defineProperty(expected, '__proto__', { value: {}, enumerable: true, configurable: true, writable: true });
    expected['ключ'] = 'ключ';
    assertSame(sink.result, expected);
  });

  test('builds maps, sets, dates, binaries and nested arrays', () => {
    const { sink, string } = sinkOver('0123456789abcdef');
    sink.beginArray(-1, 0, 0);
    sink.beginMap(2, 0, 0);
    sink.beginArray(1, 0, 0);
    sink.null(0, 0);
    sink.endArray(0);
    sink.boolean(true, 0, 0);
    sink.float(NaN, 0, 0);
    sink.beginMap(0, 0, 0);
    sink.endMap(0);
    sink.endMap(0);
    sink.beginSet(2, 0, 0);
    string('0');
    sink.bigint(5n, 0, 0);
    sink.endSet(0);
    sink.date(NaN, 0, 0);
    sink.binary(binaryKind('Uint16Array'), 0, 4, 8);
    sink.binary(0, 0, 1, 1);
    sink.binary(binaryKind('DataView'), 0, 4, 8);
    sink.endArray(0);
    assertSame(sink.result, [
      new Map<unknown, unknown>([
        [[null], true],
        [NaN, new Map()],
      ]),
      new Set(['0', 5n]),
      new Date(NaN),
      new Uint16Array([0x3534, 0x3736]),
      new Uint8Array(0),
      new DataView(new Uint8Array([0x34, 0x35, 0x36, 0x37]).buffer),
    ]);
  });

  test('orders the fields of a record by its keys and omits missing ones', () => {
    const { sink } = sinkOver('');
    const record = sink.defineRecord(['a', '__proto__', 'c', 'd']);
    sink.beginArray(2, 0, 0);
    sink.anchor(7, 0, 0);
    sink.beginRecord(record, 0, 0);
    for (const index of [3, 1, 0]) {
      sink.field(index, 0, 0);
      sink.integer(index, 0, 0);
    }
    sink.endRecord(0);
    sink.reference(7, 0, 0);
    sink.beginRecord(record, 0, 0);
    sink.field(2, 0, 0);
    sink.integer(2, 0, 0);
    sink.endRecord(0);
    sink.endArray(0);
    const first: Record<string, unknown> = { a: 0 };
    Object.defineProperty(first, '__proto__', { value: 1, enumerable: true, configurable: true, writable: true });
    first['d'] = 3;
    assertSame(sink.result, [first, first, { c: 2 }]);
  });

  test('resolves references to open containers, tagged values, dates and binaries', () => {
    const { sink, key } = sinkOver('self');
    sink.anchor(1, 0, 0);
    sink.beginObject(1, 0, 0);
    key('self');
    sink.beginArray(6, 0, 0);
    sink.reference(1, 0, 0);
    sink.anchor(2, 0, 0);
    sink.beginTagged('RegExp', 0, 0);
    sink.anchor(3, 0, 0);
    sink.beginArray(2, 0, 0);
    sink.text('a+', 0, 0);
    sink.text('g', 0, 0);
    sink.endArray(0);
    sink.endTagged(0);
    sink.reference(2, 0, 0);
    sink.reference(3, 0, 0);
    sink.anchor(4, 0, 0);
    sink.date(5, 0, 0);
    sink.reference(4, 0, 0);
    sink.endArray(0);
    sink.endObject(0);
    const pattern = /a+/g;
    const inner = ['a+', 'g'];
    const date = new Date(5);
    const expected: Record<string, unknown> = {};
    expected['self'] = [expected, pattern, pattern, inner, date, date];
    assertSame(sink.result, expected);
    expect(() => sink.reference(9, 4, 5)).toThrow(/byte 4/);
  });

  test('revives core tags itself and a format’s tags through its function', () => {
    const { sink } = sinkOver('');
    sink.beginArray(4, 0, 0);
    sink.beginTagged('x:y', 0, 0);
    sink.integer(1, 0, 0);
    sink.endTagged(0);
    sink.beginTagged('Error', 0, 0);
    sink.beginArray(3, 0, 0);
    sink.text('RangeError', 0, 0);
    sink.text('too far', 0, 0);
    sink.integer(4, 0, 0);
    sink.endArray(0);
    sink.endTagged(0);
    sink.beginTagged('URL', 0, 0);
    sink.text('https://a.example/b', 0, 0);
    sink.endTagged(0);
    sink.endArray(0);
    assertSame(sink.result, [{ tag: 'x:y', inner: 1 }, new RangeError('too far', { cause: 4 }), new URL('https://a.example/b')]);
    sink.beginTagged('RegExp', 0, 0);
    sink.integer(1, 0, 0);
    expect(() => sink.endTagged(3)).toThrow(expect.objectContaining({ name: 'DecodeError', code: 'malformed', offset: 3 }));
  });

  test('reports the path of the current value', () => {
    const { sink, key } = sinkOver('trips name');
    expect(sink.path()).toEqual([]);
    sink.beginObject(1, 0, 0);
    expect(sink.path()).toEqual([]);
    key('trips');
    sink.beginArray(2, 0, 0);
    expect(sink.path()).toEqual(['trips', 0]);
    sink.null(0, 0);
    expect(sink.path()).toEqual(['trips', 1]);
    sink.beginObject(1, 0, 0);
    key('name');
    expect(sink.path()).toEqual(['trips', 1, 'name']);
    sink.beginTagged('RegExp', 0, 0);
    sink.beginArray(2, 0, 0);
    expect(sink.path()).toEqual(['trips', 1, 'name', 0]);
  });

  test('throws for its result before the value is complete', () => {
    const { sink } = sinkOver('');
    expect(() => sink.result).toThrow(/not complete/);
    sink.beginArray(0, 0, 0);
    expect(() => sink.result).toThrow(/not complete/);
  });
});

describe('the UTF-8 decoder', () => {
  test('decodes ASCII of every length, other text, and the byte order mark', () => {
    for (let length = 0; length < 200; length += 1) {
      const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + (i % 90))).join('');
      const bytes = new TextEncoder().encode(`<${text}>`);
      expect(decodeUtf8(bytes, 1, bytes.length - 1, 0)).toBe(text);
      const wide = new TextEncoder().encode(`${text}\ufeffé€😀`);
      expect(decodeUtf8(wide, 0, wide.length, 0)).toBe(`${text}\ufeffé€😀`);
    }
  });

  test.each([
    ['a lone continuation byte', bytesOf(0x61, 0x80), 1],
    ['an overlong form', bytesOf(0xc0, 0x80), 0],
    ['an overlong form of three bytes', bytesOf(0x61, 0xe0, 0x9f, 0xbf), 1],
    ['a surrogate', bytesOf(0xed, 0xa0, 0x80), 0],
    ['past U+10FFFF', bytesOf(0xf4, 0x90, 0x80, 0x80), 0],
    ['a byte that UTF-8 never has', bytesOf(0x61, 0x62, 0xff), 2],
    ['a truncated sequence', bytesOf(0x61, 0xe2, 0x82), 1],
    ['a broken sequence', bytesOf(0xf0, 0x9f, 0x98, 0x41), 0],
  ])('locates %s', (_, bytes, position) => {
    expect(validateUtf8(bytes, 0, bytes.length)).toBe(position);
    expect(() => decodeUtf8(bytes, 0, bytes.length, 100)).toThrow(expect.objectContaining({ code: 'invalid-utf8', offset: 100 + position }));
  });

  test('agrees with TextDecoder on every sequence around the limits', () => {
    const borders = [
      0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ];
    const strict = new TextDecoder('utf-8', { fatal: true });
    const disagreements: string[] = [];
    for (const a of borders) {
      for (const b of borders) {
        for (const c of borders) {
          for (const bytes of [bytesOf(a, b), bytesOf(a, b, c), bytesOf(a, b, c, 0x80), bytesOf(a, b, c, 0xc0)]) {
            if (validateUtf8(bytes, 0, bytes.length) < 0 !== isValid(strict, bytes)) disagreements.push(bytes.join());
          }
        }
      }
    }
    expect(disagreements).toEqual([]);
  });

  test('distinguishes ASCII from other text', () => {
    const bytes = new TextEncoder().encode('0123456789abcdefghié');
    const view = new DataView(bytes.buffer);
    expect(isAscii(bytes, view, 0, 19)).toBe(true);
    expect(isAscii(bytes, view, 3, 20)).toBe(false);
    expect(isAscii(bytes, view, 19, 20)).toBe(false);
  });
});

test('the comparison of the differential tests detects subtle differences', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(difference(0, -0)).toBeDefined();
  expect(difference({ a: undefined }, {})).toBeDefined();
  expect(difference({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeDefined();
  expect(difference(Object.create(null), {})).toBeDefined();
  expect(difference(Array.from({ length: 1 }), Array(1))).toBeDefined();
  expect(difference(new Set([1, 2]), new Set([2, 1]))).toBeDefined();
  expect(difference(new Uint8Array(2), new Uint8Array(3))).toBeDefined();
  expect(difference(new Uint8Array(2), new Int8Array(2))).toBeDefined();
  expect(difference(new Date(1), new Date(2))).toBeDefined();
  expect(difference([cyclic], [[[]]])).toBeDefined();
  expect(difference([{ x: NaN, y: 1n }, cyclic], [{ x: NaN, y: 1n }, cyclic])).toBeUndefined();
});

function bytesOf(...bytes: number[]): Uint8Array {
  return Uint8Array.from(bytes);
}

function isValid(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
