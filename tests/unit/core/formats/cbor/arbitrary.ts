/** Arbitrary CBOR, in every encoding that the format allows for a value. */
import fc from '../../../../setup/properties/property.ts';

/** Bytes of a data item. */
export type Item = readonly number[];

const utf8 = new TextEncoder();

/** Head with the argument in the given width (0: the shortest), or in the next width that fits. */
export function head(major: number, argument: number | bigint, width = 0): Item {
  const value = BigInt(argument);
  const least = value < 24n ? 0 : value < 0x100n ? 1 : value < 0x1_0000n ? 2 : value < 0x1_0000_0000n ? 4 : 8;
  const size = Math.max(least, width);
  if (size === 0) return [(major << 5) | Number(value)];
  const bytes = Array.from({ length: size }, (_, i) => Number((value >> BigInt((size - 1 - i) * 8)) & 0xffn));
  return [(major << 5) | (24 + Math.log2(size)), ...bytes];
}

const width = fc.constantFrom(0, 0, 0, 1, 2, 4, 8);

const argument = fc.oneof(
  fc.nat(30).map(BigInt),
  fc.nat().map(BigInt),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(23n, 24n, 255n, 256n, 65535n, 65536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n - 1n),
);

const integer = fc.tuple(fc.constantFrom(0, 1), argument, width).map(([major, value, size]) => head(major, value, size));

const bytesOf = fc.uint8Array({ maxLength: 40 }).map((bytes): Item => [...bytes]);
const textOf = fc.string({ unit: 'binary', maxLength: 30 }).map((text): Item => [...utf8.encode(text)]);

const string = (major: number, content: fc.Arbitrary<Item>): fc.Arbitrary<Item> =>
  fc.oneof(
    fc.tuple(content, width).map(([bytes, size]): Item => [...head(major, bytes.length, size), ...bytes]),
    fc
      .array(content, { maxLength: 3 })
      .map((chunks): Item => [(major << 5) | 31, ...chunks.flatMap((chunk) => [...head(major, chunk.length), ...chunk]), 0xff]),
  );
const bytes = string(2, bytesOf);
const text = string(3, textOf);

const float = fc.oneof(
  fc.uint8Array({ minLength: 2, maxLength: 2 }).map((bits): Item => [0xf9, ...bits]),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bits): Item => [0xfa, ...bits]),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bits): Item => [0xfb, ...bits]),
  fc.constantFrom<Item[]>([0xf9, 0x80, 0], [0xf9, 0x7c, 0], [0xf9, 0xfe, 0], [0xfa, 0x7f, 0x80, 0, 0]),
);

const simple = fc.oneof(
  fc.constantFrom<Item[]>([0xf4], [0xf5], [0xf6], [0xf7]),
  fc.nat(19).map((value): Item => [0xe0 + value]),
  fc.integer({ min: 32, max: 255 }).map((value): Item => [0xf8, value]),
);

const scalar = fc.oneof(integer, bytes, text, float, simple);

const tagged = (tags: readonly (number | bigint)[], content: fc.Arbitrary<Item>): fc.Arbitrary<Item> =>
  fc.tuple(fc.constantFrom(...tags), width, content).map(([tag, size, item]): Item => [...head(6, tag, size), ...item]);

const textFrom = (...texts: string[]): fc.Arbitrary<Item> =>
  fc.tuple(fc.constantFrom(...texts), fc.boolean()).map(([value, chunked]): Item => {
    const content = utf8.encode(value);
    const whole = [...head(3, content.length), ...content];
    return chunked ? [0x7f, ...whole, 0xff] : whole;
  });

/** Byte strings of whole elements. */
const elements = (size: number): fc.Arbitrary<Item> =>
  fc
    .array(fc.uint8Array({ minLength: size, maxLength: size }), { maxLength: 5 })
    .map((parts): Item => [...head(2, parts.length * size), ...parts.flatMap((part) => [...part])]);

/** Byte strings of floats. None is NaN, which loses its payload in a number. */
const floatElements = (size: number): fc.Arbitrary<Item> =>
  fc.array(fc.uint8Array({ minLength: size, maxLength: size }), { maxLength: 5 }).map((parts): Item => [
    ...head(2, parts.length * size),
    // Clears the exponent's highest bit, in either byte order.
    ...parts.flatMap((part) => [...part].map((byte, i) => (i % (size - 1) === 0 ? byte & 0xbf : byte))),
  ]);

const small = fc.integer({ min: -40, max: 40 }).map((value): Item => (value < 0 ? head(1, -1 - value) : head(0, value)));
const mantissa = fc.nat(2 ** 31).map((value): Item => head(0, value));

/** Known tags around valid content. */
const known = fc.oneof(
  tagged([0], textFrom('2013-03-21T20:04:00Z', '1999-12-31T23:59:59.999+14:00', '0001-01-01T00:00:00-00:01', 'no date')),
  tagged([1004], textFrom('2013-03-21', '1600-02-29')),
  tagged(
    [1],
    fc.oneof(
      integer,
      float,
      fc.integer().map((ms): Item => [0xfb, ...float64(ms / 1000)]),
    ),
  ),
  tagged([100], small),
  tagged([2, 3], bytes),
  tagged(
    [4, 5],
    fc.tuple(small, mantissa).map(([a, b]): Item => [0x82, ...a, ...b]),
  ),
  tagged(
    [4, 5],
    fc.tuple(small, mantissa).map(([a, b]): Item => [0x9f, ...a, ...b, 0xff]),
  ),
  tagged([32], textFrom('http://www.example.com/a?b=c', 'urn:isbn:0451450523')),
  tagged([33], textFrom('aGVsbG8', '_-8', '')),
  tagged([34], textFrom('aGVsbG8=', '/+8=', '')),
  tagged([35], textFrom('ab+c', '[0-9]{2,}')),
  tagged([21065], textFrom('[0-9]{2}', 'a|b')),
  tagged([21066], fc.constantFrom<Item[]>([0x81, 0x61, 0x61], [0x82, 0x61, 0x61, 0x62, 0x67, 0x69], [0x9f, 0x61, 0x61, 0xff])),
  tagged([262], textFrom('{"a":[1,null]}', '"text"', '-1.5e3')),
  tagged([273], fc.constantFrom<Item[]>([0x43, 0xed, 0xa0, 0x80], [0x44, 0x61, 0xed, 0xbf, 0xbf], [0x42, 0xc3, 0xa9])),
  tagged([64, 68, 72], bytes),
  tagged([65, 69, 73, 77, 80, 84], elements(2)),
  tagged([66, 70, 74, 78], elements(4)),
  tagged([81, 85], floatElements(4)),
  tagged([67, 71, 75, 79], elements(8)),
  tagged([82, 86], floatElements(8)),
  tagged([24], bytes),
  tagged([55799], scalar),
);

function float64(value: number): Item {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [...new Uint8Array(view.buffer)];
}

/** Unknown tags. */
const UNKNOWN = [7, 21, 22, 23, 36, 63, 76, 83, 87, 280, 999, 65534, 65536, 2 ** 32, 2n ** 53n, 2n ** 64n - 2n];

/** Kinds of containers to generate. */
export interface Shape {
  /** Allowed keys: only text strings, no text string as the first key, or any. */
  keys: 'text' | 'other' | 'any';
  maxLength?: number;
}

/** Any data item. */
export function anyItem({ keys, maxLength = 4 }: Shape): fc.Arbitrary<Item> {
  const { item } = fc.letrec<{ item: Item; container: Item; key: Item }>((tie) => ({
    item: fc.oneof({ maxDepth: 4, depthIdentifier: 'item' }, scalar, known, tie('container')),
    key: keys === 'text' ? text : keys === 'other' ? fc.oneof(integer, float, bytes, tie('container')) : tie('item'),
    container: fc.oneof(
      { depthIdentifier: 'item' },
      container(4, fc.array(tie('item'), { maxLength })),
      container(
        5,
        fc.array(
          fc.tuple(tie('key'), tie('item')).map(([key, value]): Item => [...key, ...value]),
          { maxLength },
        ),
      ),
      tagged([258], container(4, fc.array(tie('item'), { maxLength }))),
      tagged(UNKNOWN, tie('item')),
    ),
  }));
  return item;
}

function container(major: number, items: fc.Arbitrary<Item[]>): fc.Arbitrary<Item> {
  return fc
    .tuple(items, width, fc.boolean())
    .map(([list, size, indefinite]): Item =>
      indefinite ? [(major << 5) | 31, ...list.flat(), 0xff] : [...head(major, list.length, size), ...list.flat()],
    );
}
