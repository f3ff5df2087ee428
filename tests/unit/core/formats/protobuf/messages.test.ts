import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { Bytes } from './random.ts';

const PROTO2 = `
  syntax = "proto2";
  message M {
    optional int32 a = 1 [default = 42];
    optional string text = 2 [default = "tab\\there"];
    repeated int32 list = 3;
    repeated int32 packed = 4 [packed = true];
    optional M inner = 5;
    repeated M inners = 6;
    map<string, M> by_name = 7;
    oneof choice { int32 number = 8; M message = 9; string word = 10; }
    optional group Pair = 11 { optional int32 left = 1; repeated int32 right = 2; }
    optional Colour colour = 12 [default = GREEN];
    repeated Colour colours = 13 [packed = true];
    map<int32, Colour> colour_of = 14;
    optional int64 big = 15;
    optional bytes raw = 16 [default = "\\x00\\xff"];
    optional double inf = 17 [default = -inf];
    extensions 100 to 199;
  }
  enum Colour { RED = 1; GREEN = 2; }
  extend M { optional int32 extra = 100; repeated string more = 101; }
`;
const schema = (await protobuf.compileSchema!({ proto: PROTO2, message: 'M' }))!;

/** Decodes the message written by `write`, with the names of the `.proto` unless the options say otherwise. */
function decode(write: (bytes: Bytes) => void, options: ProtobufOptions = { defaults: 'none' }, of: ProtobufSchema = schema): unknown {
  const bytes = new Bytes();
  write(bytes);
  return decodeWith(protobuf, Uint8Array.from(bytes.list), { schema: of, options: { names: 'proto', ...options } });
}

/** A varint field, and a length-delimited field. */
const int = (bytes: Bytes, number: number, value: bigint | number): void => {
  bytes.tag(number, 0);
  bytes.varint(BigInt(value));
};
const len = (bytes: Bytes, number: number, content: string | number[]): void => {
  bytes.tag(number, 2);
  bytes.delimited(typeof content === 'string' ? new TextEncoder().encode(content) : content);
};
const message = (bytes: Bytes, number: number, write: (bytes: Bytes) => void): void => {
  const inner = new Bytes();
  write(inner);
  len(bytes, number, inner.list);
};

describe('a repeated occurrence of a Protocol Buffers field', () => {
  test('replaces the value of a scalar', () => {
    expect(decode((b) => [1, 2, 3].forEach((value) => int(b, 1, value)))).toEqual({ a: 3 });
  });

  test('merges into a message', () => {
    const value = decode((b) => {
      message(b, 5, (m) => (int(m, 1, 1), int(m, 3, 1), message(m, 5, (n) => int(n, 1, 5))));
      int(b, 1, 9);
      message(b, 5, (m) => (int(m, 3, 2), len(m, 2, 'x'), message(m, 5, (n) => len(n, 2, 'y'))));
      message(b, 5, (m) => int(m, 1, 7));
    });
    assertSame(value, { a: 9, inner: { a: 7, text: 'x', list: [1, 2], inner: { a: 5, text: 'y' } } });
  });

  test('continues a list after other fields, packed or not', () => {
    const value = decode((b) => {
      int(b, 3, 1);
      len(b, 4, [1, 2]);
      len(b, 3, [2, 3]);
      int(b, 1, 5);
      int(b, 3, 4);
      int(b, 4, 3);
      message(b, 6, (m) => int(m, 1, 1));
      len(b, 3, []);
      message(b, 6, () => {});
    });
    assertSame(value, { a: 5, list: [1, 2, 3, 4], packed: [1, 2, 3], inners: [{ a: 1 }, {}] });
  });

  test('replaces a map entry with the same key instead of merging it', () => {
    const entry = (b: Bytes, write: (bytes: Bytes) => void): void => message(b, 7, (e) => (len(e, 1, 'k'), message(e, 2, write)));
    const value = decode((b) => {
      entry(b, (m) => int(m, 1, 1));
      int(b, 1, 0);
      entry(b, (m) => len(m, 2, 'x'));
    });
    assertSame(value, { a: 0, by_name: { k: { text: 'x' } } });
  });

  test('splits a map entry, reorders its key and value, or leaves them out', () => {
    const value = decode((b) => {
      message(b, 7, (e) => (message(e, 2, (m) => int(m, 1, 1)), len(e, 1, 'k'), message(e, 2, (m) => len(m, 2, 'x'))));
      message(b, 7, () => {});
    });
    assertSame(value, { by_name: { k: { a: 1, text: 'x' }, '': {} } });
  });

  test('replaces the other members of a oneof, and merges only with the same member', () => {
    assertSame(
      decode((b) => (int(b, 8, 1), len(b, 10, 'w'))),
      { word: 'w' },
    );
    const two = (b: Bytes): void => {
      message(b, 9, (m) => int(m, 1, 1));
      message(b, 9, (m) => len(m, 2, 'x'));
    };
    assertSame(decode(two), { message: { a: 1, text: 'x' } });
    const between = (b: Bytes): void => {
      message(b, 9, (m) => int(m, 1, 1));
      int(b, 8, 5);
      message(b, 9, (m) => len(m, 2, 'x'));
    };
    assertSame(decode(between, { defaults: 'none', oneofs: true }), { message: { text: 'x' }, choice: 'message' });
  });

  test('merges into a group', () => {
    const value = decode((b) => {
      b.tag(11, 3);
      int(b, 1, 1);
      int(b, 2, 1);
      b.tag(11, 4);
      int(b, 1, 3);
      b.tag(11, 3);
      int(b, 2, 2);
      b.tag(11, 4);
    });
    assertSame(value, { a: 3, pair: { left: 1, right: [1, 2] } });
  });
});

describe('Protocol Buffers reader of closed enums', () => {
  const write = (b: Bytes): void => {
    int(b, 12, 1);
    int(b, 12, 7);
    len(b, 13, [1, 9, 2, 8]);
    message(b, 14, (e) => (int(e, 1, 1), int(e, 2, 2)));
    message(b, 14, (e) => (int(e, 1, 2), int(e, 2, 77)));
  };

  test('treats unnamed numbers as unknown fields', () => {
    assertSame(decode(write, { defaults: 'none', enums: 'name' }), {
      colour: 'RED',
      colours: ['RED', 'GREEN'],
      colour_of: { 1: 'GREEN' },
    });
    const { $unknown } = decode(write, { unknown: 'keep' }) as { $unknown: unknown };
    assertSame($unknown, [
      { number: 12, wireType: 0, data: Uint8Array.of(7) },
      { number: 13, wireType: 0, data: Uint8Array.of(9) },
      { number: 13, wireType: 0, data: Uint8Array.of(8) },
      { number: 14, wireType: 2, data: Uint8Array.of(4, 8, 2, 16, 77) },
    ]);
  });

  test('omits a list without any named number', () => {
    assertSame(
      decode((b) => (len(b, 13, [9]), int(b, 13, 8))),
      {},
    );
  });
});

describe('the Protocol Buffers option', () => {
  test('defaults sets the values of absent fields', () => {
    assertSame(
      decode(() => {}, { defaults: 'none' }),
      {},
    );
    assertSame(
      decode(() => {}, { defaults: 'implicit' }),
      {
        list: [],
        packed: [],
        inners: [],
        by_name: {},
        colours: [],
        colour_of: {},
        '[more]': [],
      },
    );
    assertSame(
      decode(() => {}, { defaults: 'all', enums: 'name' }),
      {
        a: 42,
        text: 'tab\there',
        list: [],
        packed: [],
        inner: null,
        inners: [],
        by_name: {},
        pair: null,
        colour: 'GREEN',
        colours: [],
        colour_of: {},
        big: 0,
        raw: Uint8Array.of(0, 255),
        inf: -Infinity,
        '[extra]': 0,
        '[more]': [],
      },
    );
  });

  test('defaults `none` leaves out zero fields that do not track presence', async () => {
    const proto = `
      syntax = "proto3";
      message M { int32 a = 1; double b = 2; string c = 3; bool d = 4; E e = 5; sint64 f = 6; optional int32 g = 7; float h = 8; bytes i = 9; }
      enum E { ZERO = 0; }`;
    const of = (await protobuf.compileSchema!({ proto, message: 'M' }))!;
    const zeros = (b: Bytes): void => {
      for (const number of [1, 4, 5, 6, 7]) int(b, number, 0);
      b.tag(2, 1);
      b.bytes(new Uint8Array(8));
      b.tag(8, 5);
      b.bytes([0, 0, 0, 0x80]);
      len(b, 3, '');
      len(b, 9, '');
    };
    assertSame(decode(zeros, { defaults: 'none' }, of), { g: 0, h: -0 });
    assertSame(decode(zeros, {}, of), { a: 0, b: 0, c: '', d: false, e: 0, f: 0, g: 0, h: -0, i: new Uint8Array(0) });
    assertSame(
      decode(() => {}, { defaults: 'all' }, of),
      { a: 0, b: 0, c: '', d: false, e: 0, f: 0, h: 0, i: new Uint8Array(0) },
    );
  });

  test.each([
    [9007199254740991n, [9007199254740991, 9007199254740991, 9007199254740991n, '9007199254740991']],
    [9007199254740993n, [9007199254740993n, 9007199254740992, 9007199254740993n, '9007199254740993']],
    [-1n, [-1, -1, -1n, '-1']],
    [-(2n ** 63n), [-(2n ** 63n), -(2 ** 63), -(2n ** 63n), '-9223372036854775808']],
  ])('int64 sets the form of 64-bit integers: %s', (value, expected) => {
    const modes = ['auto', 'number', 'bigint', 'string'] as const;
    modes.forEach((int64, index) =>
      assertSame(
        decode((b) => int(b, 15, value), { int64, defaults: 'none' }),
        { big: expected[index] },
      ),
    );
  });

  test('names and maps set the names of fields and the form of maps, also with extensions', () => {
    const write = (b: Bytes): void => {
      message(b, 7, (e) => len(e, 1, '__proto__'));
      message(b, 14, (e) => (int(e, 1, -5), int(e, 2, 1)));
      int(b, 100, 5);
      len(b, 101, 'x');
    };
    const own = {};
    Object.defineProperty(own, '__proto__', { value: {}, enumerable: true, configurable: true, writable: true });
    assertSame(decode(write, { names: undefined, defaults: 'none' }), { byName: own, colourOf: { '-5': 1 }, '[extra]': 5, '[more]': ['x'] });
    assertSame(decode(write, { maps: 'map', defaults: 'none', enums: 'name' }), {
      by_name: new Map([['__proto__', {}]]),
      colour_of: new Map([[-5, 'RED']]),
      '[extra]': 5,
      '[more]': ['x'],
    });
  });

  test('names keeps two fields with one JSON name apart', async () => {
    const proto = 'syntax = "proto2"; message M { optional int32 foo_bar = 1; optional int32 fooBar = 2; }';
    const of = (await protobuf.compileSchema!({ proto, message: 'M' }))!;
    assertSame(
      decode((b) => (int(b, 1, 1), int(b, 2, 2)), { names: 'json' }, of),
      { fooBar: 1, fooBar_: 2 },
    );
  });

  test('unknown keeps unknown fields, including groups', () => {
    const write = (b: Bytes): void => {
      int(b, 1, 1);
      int(b, 50, 300);
      b.tag(51, 3);
      int(b, 1, 1);
      b.tag(51, 4);
      len(b, 1, 'not a varint');
    };
    assertSame(decode(write), { a: 1 });
    assertSame(decode(write, { unknown: 'keep', defaults: 'none' }), {
      a: 1,
      $unknown: [
        { number: 50, wireType: 0, data: Uint8Array.of(0xac, 2) },
        { number: 51, wireType: 3, data: Uint8Array.of(8, 1, 0x9c, 3) },
        { number: 1, wireType: 2, data: Uint8Array.of(12, ...new TextEncoder().encode('not a varint')) },
      ],
    });
  });

  test('partial accepts a message that lacks required fields', async () => {
    const proto = 'syntax = "proto2"; message M { required int32 a = 1; required M m = 2; optional int32 c = 3; }';
    const of = (await protobuf.compileSchema!({ proto, message: 'M' }))!;
    expect(() => decode((b) => int(b, 3, 1), {}, of)).toThrow('the required field a of M is missing (byte 2)');
    assertSame(
      decode((b) => int(b, 3, 1), { partial: true }, of),
      { c: 1 },
    );
  });
});

test('truncates integers to the size of their type', async () => {
  const proto =
    'syntax = "proto3"; message M { int32 a = 1; uint32 b = 2; sint32 c = 3; bool d = 4; map<uint32, bool> e = 5; E f = 6; } enum E { Z = 0; }';
  const of = (await protobuf.compileSchema!({ proto, message: 'M' }))!;
  const value = decode(
    (b) => {
      int(b, 1, -1);
      int(b, 2, 2n ** 32n + 5n);
      int(b, 3, 2n ** 33n + 3n);
      int(b, 4, 2n ** 40n);
      message(b, 5, (e) => (int(e, 1, -1), int(e, 2, 2)));
      int(b, 6, -7);
    },
    {},
    of,
  );
  assertSame(value, { a: -1, b: 5, c: -2, d: true, e: { 4294967295: true }, f: -7 });
});

test('decodes every kind of value through a block', async () => {
  const bytes = new Bytes();
  for (let i = 0; i < 500; i += 1) {
    message(bytes, 6, (m) => {
      if (i % 3 > 0) int(m, 1, i);
      len(m, 2, `name ${i % 7}`);
      if (i % 5 === 0) int(m, 15, 2n ** 60n + BigInt(i));
      if (i % 50 === 0) message(m, 7, (e) => (len(e, 1, `k${i}`), message(e, 2, () => {})));
      if (i % 2 > 0) int(m, 12, 1 + (i % 2));
      if (i % 100 === 0) int(m, 1, -i);
    });
  }
  len(bytes, 16, [1, 2, 3]);
  const input = Uint8Array.from(bytes.list);
  for (const options of [{}, { enums: 'name', defaults: 'all', int64: 'string' }, { defaults: 'none', maps: 'map' }] as ProtobufOptions[]) {
    const value = await throughBlock((sink) => {
      const reader = protobuf.createReader(sink, options, resolveLimits(), schema);
      for (let at = 0; at < input.length; at += 1000) reader.push(input.subarray(at, at + 1000));
      reader.end();
    });
    assertSame(value, decodeWith(protobuf, input, { schema, options }));
  }
});
