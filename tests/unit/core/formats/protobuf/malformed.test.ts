import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import { decodeWith, type DecodeSetting, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { Bytes } from './random.ts';

const proto = `
  syntax = "proto3";
  message M {
    int32 a = 1; string text = 2; M inner = 3; repeated double doubles = 4; repeated int32 ints = 5; bytes raw = 6;
    map<string, M> map = 7; fixed64 f = 8; repeated M list = 9; repeated string texts = 10; Other other = 11;
  }
  message Other { ${Array.from({ length: 400 }, (_, i) => `int32 f${i} = ${i + 1};`).join(' ')} }
  message Others { repeated Other others = 1; }`;
const schema = await protobuf.compileSchema!({ proto, message: 'M' });

/** Bytes from hexadecimal digits. */
const hex = (text: string): Uint8Array => Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function failure(bytes: Uint8Array, setting: DecodeSetting = {}): string {
  const result = outcome(() => decodeWith(protobuf, bytes, { schema, ...setting }));
  return 'error' in result ? result.error : `the value ${JSON.stringify(result.value)}`;
}

describe('Protocol Buffers reader', () => {
  test.each([
    ['a truncated tag', '80', 'truncated', 1],
    ['a truncated varint', '08 ff', 'truncated', 2],
    ['a varint without an end', '08 ffffffffffffffffffff 01', 'malformed', 1],
    ['a varint without an end in a message', '1a 0d 08 ffffffffffffffffffffff 01', 'malformed', 3],
    ['a truncated string', '12 05 61', 'truncated', 3],
    ['a truncated message', '1a 05 08', 'truncated', 3],
    ['a truncated fixed64', '41 00 00 00', 'truncated', 4],
    ['a fixed64 that goes past its message', '1a 03 41 00 00', 'malformed', 2],
    ['a string that goes past its message', '1a 03 12 05 61 08 01', 'malformed', 2],
    ['a length that goes past its message', '1a 02 12 80 08 01', 'malformed', 3],
    ['invalid field number 0', '00 00', 'malformed', 0],
    ['invalid field number 0 in a message', '1a 02 00 00', 'malformed', 2],
    ['a tag has more than 32 bits', '88 80 80 80 80 01 00', 'malformed', 0],
    ['the wire type 6', '0e', 'malformed', 0],
    ['the wire type 7', '1a 01 0f', 'malformed', 2],
    ['the end of no group', '0c', 'malformed', 0],
    ['the end of no group in a message', '1a 01 0c', 'malformed', 2],
    ['the end of another group', '0b 14', 'malformed', 1],
    ['unterminated group', '0b 08 01', 'truncated', 3],
    ['unterminated group in a message', '1a 03 0b 08 01', 'malformed', 2],
    ['packed doubles that end inside a value', '22 09 000000000000000000', 'malformed', 11],
    ['packed integers that end inside a value', '2a 02 01 80', 'malformed', 3],
    ['a string that is not UTF-8', '12 02 61 ff', 'invalid-utf8', 3],
    ['a key that is not UTF-8', '3a 03 0a 01 ff', 'invalid-utf8', 4],
    ['a string that is not UTF-8 in a message', '1a 04 12 02 c0 80', 'invalid-utf8', 4],
  ])('rejects with a code and an offset: %s', (_, text, code, offset) => {
    const error = failure(hex(text));
    expect(error).toContain(`DecodeError | ${code} |  | ${offset} |`);
    sameInEveryCut(protobuf, hex(text), { schema });
  });

  test('rejects a sequence that ends inside a message or a length', () => {
    const options: ProtobufOptions = { sequence: true };
    expect(failure(hex('02 08 01 02 08'), { options })).toContain('truncated |  | 5');
    expect(failure(hex('02 08 01 80'), { options })).toContain('truncated |  | 4');
    expect(failure(hex('01 08'), { options })).toContain('malformed |  | 1');
    sameInEveryCut(protobuf, hex('02 08 01 02 08'), { schema, options });
  });

  test('rejects input without a schema', () => {
    expect(() => decodeWith(protobuf, hex('08 01'))).toThrow('a schema is required: set the option schema (protobuf)');
  });
});

describe('limited Protocol Buffers reader', () => {
  test('rejects a string or bytes over the limit once the length is known', () => {
    const limits = { stringLength: 3, binaryLength: 2 };
    expect(failure(hex('12 04'), { limits })).toBe('LimitError | limit | stringLength | 1 | stringLength limit exceeded (3)');
    expect(failure(hex('32 03'), { limits })).toContain('binaryLength | 1');
    expect(failure(hex('1a 06 12 04 61616161'), { limits })).toContain('stringLength | 3');
    expect(failure(hex('3a 06 0a 04 61616161'), { limits })).toContain('stringLength | 3');
  });

  test('counts values', () => {
    expect(failure(hex('2a 05 0102030405'), { limits: { values: 5 } })).toContain('LimitError | limit | values');
    expect(failure(hex('2a 03 010203'), { limits: { values: 20 }, options: { defaults: 'none' } })).toContain('the value');
  });

  const nested = (depth: number, open: (inner: number[]) => number[]): Uint8Array => {
    let bytes: number[] = [];
    for (let i = 0; i < depth; i += 1) bytes = open(bytes);
    return Uint8Array.from(bytes);
  };
  const withLength =
    (tag: number) =>
    (inner: number[]): number[] => {
      const bytes = new Bytes();
      bytes.list.push(tag);
      bytes.varint(BigInt(inner.length));
      return bytes.list.concat(inner);
    };

  test('bounds the depth of messages, lists and maps', () => {
    const options: ProtobufOptions = { defaults: 'none' };
    expect(failure(nested(9, withLength(0x1a)), { limits: { depth: 10 }, options })).toContain('the value');
    expect(failure(nested(10, withLength(0x1a)), { limits: { depth: 10 }, options })).toContain('LimitError | limit | depth');
    expect(failure(nested(4, withLength(0x4a)), { limits: { depth: 9 }, options })).toContain('the value');
    expect(failure(nested(5, withLength(0x4a)), { limits: { depth: 10 }, options })).toContain('LimitError | limit | depth');
    expect(failure(nested(3000, withLength(0x1a)))).toContain('LimitError | limit | depth');
  });

  test('bounds the depth of unknown groups', () => {
    expect(failure(Uint8Array.from({ length: 100_000 }, () => 0x0b))).toContain('LimitError | limit | depth');
    const inMessage = new Bytes();
    inMessage.tag(3, 2);
    inMessage.delimited(Array.from({ length: 100_000 }, () => 0x0b));
    expect(failure(Uint8Array.from(inMessage.list))).toContain('LimitError | limit | depth');
  });

  test('bounds the depth of messages that are read as they arrive', () => {
    const filler = Array.from({ length: 70_000 }, () => 0);
    const large = new Bytes();
    large.tag(6, 2);
    large.delimited(filler);
    let bytes = Uint8Array.from(large.list);
    for (let i = 0; i < 30; i += 1) {
      const header = new Bytes();
      header.tag(3, 2);
      header.varint(BigInt(bytes.length));
      const outer = new Uint8Array(header.list.length + bytes.length);
      outer.set(header.list);
      outer.set(bytes, header.list.length);
      bytes = outer;
    }
    expect(failure(bytes, { limits: { depth: 31 } })).toContain('the value');
    expect(failure(bytes, { limits: { depth: 30 } })).toContain('LimitError | limit | depth');
  });

  test.each(['string', 'bytes'])('counts long defaults with each message that lacks them: %s', async (type) => {
    const text = 'x'.repeat(1_600);
    const definition = `syntax = "proto2"; message R { optional ${type} a = 1 [default = "${text}"]; } message M { repeated R list = 1; }`;
    const schema = await protobuf.compileSchema!({ proto: definition, message: 'M' });
    const decode = (count: number): unknown => {
      const bytes = Uint8Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 0x0a : 0));
      return decodeWith(protobuf, bytes, { schema, options: { defaults: 'all' } });
    };
    // Each default costs 100 values. 100,000 are free, and each message allows 32 more.
    expect(decode(1_000)).toMatchObject({ list: { length: 1_000 } });
    expect(() => decode(1_600)).toThrow('expansion limit exceeded');
  });

  test('counts values that take no bytes: defaults of empty messages', async () => {
    const others = await protobuf.compileSchema!({ proto, message: 'Others' });
    const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i % 2 === 0 ? 0x0a : 0));
    expect(failure(bytes, { schema: others, limits: { expansion: 2 } })).toContain('LimitError | limit | expansion');
    expect(failure(bytes, { schema: others, options: { defaults: 'none' } })).toContain('the value');
  });
});

describe('adversarial Protocol Buffers input', () => {
  const SIZE = 1 << 15;
  const attacks: [string, () => Uint8Array][] = [
    ['a list in many pieces', () => Uint8Array.from({ length: SIZE }, (_, i) => [0x28, 1, 0x08, 1][i % 4]!)],
    ['one scalar many times', () => Uint8Array.from({ length: SIZE }, (_, i) => [0x08, 1][i % 2]!)],
    ['a message in many pieces', () => Uint8Array.from({ length: SIZE }, (_, i) => [0x1a, 0][i % 2]!)],
    ['pieces of a message with pieces of a message', () => Uint8Array.from({ length: SIZE - 4 }, (_, i) => [0x1a, 4, 0x1a, 2, 0x08, 1][i % 6]!)],
    [
      'groups in groups, side by side',
      () => {
        const bytes = new Bytes();
        const inner = [...Array.from({ length: 900 }, () => 0x0b), ...Array.from({ length: 900 }, () => 0x0c)];
        while (bytes.list.length < SIZE) bytes.bytes(inner);
        return Uint8Array.from(bytes.list);
      },
    ],
    ['empty packed lists', () => Uint8Array.from({ length: SIZE }, (_, i) => [0x2a, 0][i % 2]!)],
    ['empty map entries', () => Uint8Array.from({ length: SIZE }, (_, i) => [0x3a, 0][i % 2]!)],
  ];

  test.each(attacks)('decodes in little time: %s', (_, make) => {
    const bytes = make();
    const inMessage = new Bytes();
    inMessage.tag(9, 2);
    inMessage.varint(BigInt(bytes.length));
    const whole = new Uint8Array(inMessage.list.length + bytes.length);
    whole.set(inMessage.list);
    whole.set(bytes, inMessage.list.length);
    for (const input of [bytes, whole]) {
      for (const options of [{ defaults: 'none' }, { unknown: 'keep' }] as ProtobufOptions[]) {
        outcome(() => decodeWith(protobuf, input, { schema, options }));
      }
    }
  });
});
