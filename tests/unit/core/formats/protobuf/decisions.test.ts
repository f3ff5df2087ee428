import { describe, expect, test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';

const fields = `
  string s = 1; oneof one { string left = 2; M right = 3; int32 other = 4; } M m = 5; repeated int32 list = 6; map<string, string> map = 7;
  repeated string texts = 8; bool flag = 9; int64 long = 10; int32 int = 11; repeated fixed32 fixed = 12;`;
const proto3 = await protobuf.compileSchema!({ proto: `syntax = "proto3"; message M { ${fields} }`, message: 'M' });
const none = await protobuf.compileSchema!({
  proto: `edition = "2023"; option features.field_presence = IMPLICIT; option features.utf8_validation = NONE; message M { ${fields} }`,
  message: 'M',
});
const proto2 = await protobuf.compileSchema!({
  proto: `syntax = "proto2"; message M { ${fields.replaceAll(/ (string|M|bool|int32|int64) (s|m|flag|long|int) =/g, ' optional $1 $2 =')} }`,
  message: 'M',
});
const edition = await protobuf.compileSchema!({
  proto: `edition = "2023"; enum E { option features.enum_type = CLOSED; A = 0; }
    message M { oneof one { M group = 1 [features.message_encoding = DELIMITED]; int32 other = 2; } map<string, E> map = 3; string s = 4; }`,
  message: 'M',
});

describe('Protocol Buffers reader, replaced occurrences', () => {
  test.each([
    ['a string', '0a01ff 0a0161', 'invalid-utf8', 2],
    ['a string far from the one that counts', '0a0261ff 3200 0a0161', 'invalid-utf8', 3],
    ['a string of a oneof', '1201ff 2001', 'invalid-utf8', 2],
    ['a string in a message of a oneof', '1a030a01ff 2001', 'invalid-utf8', 4],
    ['a string in a message in a message of a oneof', '1a052a030a01ff 2001', 'invalid-utf8', 6],
    ['a string in a piece of a message', '2a030a01ff 2a030a0161', 'invalid-utf8', 4],
    ['a field of a message of a oneof that goes past its end', '1a020a05 2001', 'malformed', 2],
    ['a packed list of a message of a oneof that ends inside a number', '1a0462020000 2001', 'malformed', 6],
    ['a string of a map with a repeated key', '3a050a00120161 3a050a001201ff 3a050a00120161', 'invalid-utf8', 13],
  ])('rejects a malformed occurrence that a later one replaces: %s', (_, bytes, code, offset) => {
    const result = sameInEveryCut(protobuf, hex(bytes), { schema: proto3 });
    expect(result).toEqual({ error: expect.stringMatching(new RegExp(`^DecodeError \\| ${code} \\|  \\| ${offset} `)) as string });
  });

  test('decodes the last value', () => {
    assertSame(sameInEveryCut(protobuf, hex('0a0161 1a030a0162 2001 0a0163'), { schema: proto3, options: { defaults: 'none' } }), {
      value: { s: 'c', other: 1 },
    });
  });

  test('rejects a malformed key of a map entry whose enum value is unknown, as it does with a known one', () => {
    for (const number of [0, 5]) {
      const result = sameInEveryCut(protobuf, hex(`1a05 0a01ff 10 0${number}`), { schema: edition });
      expect(result).toEqual({ error: expect.stringMatching(/^DecodeError \| invalid-utf8 \|  \| 4 /) as string });
    }
    assertSame(sameInEveryCut(protobuf, hex('1a05 0a0161 1005 1a05 0a0162 1000'), { schema: edition, options: { defaults: 'none' } }), {
      value: { map: { b: 0 } },
    });
  });

  test.each([
    ['padded by one byte', '0b 220161 8c00'],
    ['padded by four bytes', '0b 220161 8c80808000'],
    ['shorter than the tag before the group', '8b8000 220161 0c'],
    ['of a group in a group, both padded', '0b 0b 220161 8c00 8c00'],
  ])('accepts a group of a oneof before another member, with an end tag %s', (_, group) => {
    const options = { defaults: 'none' as const };
    assertSame(sameInEveryCut(protobuf, hex(`${group} 1001`), { schema: edition, options }), { value: { other: 1 } });
    const result = sameInEveryCut(protobuf, hex(`${group.replace('0161', '01ff')} 1001`), { schema: edition, options });
    expect(result).toEqual({ error: expect.stringMatching(/^DecodeError \| invalid-utf8 /) as string });
  });

  test('checks replaced messages and groups that nest deeper than the call stack', () => {
    const levels = 100_000;
    const limits = { depth: 1_000_000 };
    const groups = Uint8Array.from([...Array<number>(levels).fill(0x0b), 0x22, 1, 0x61, ...Array<number>(levels).fill(0x0c), 0x10, 1]);
    assertSame(decodeWith(protobuf, groups, { schema: edition, limits, options: { defaults: 'none' } }), { other: 1 });
    groups[levels + 2] = 0xff;
    expect(() => decodeWith(protobuf, groups, { schema: edition, limits })).toThrow(expect.objectContaining({ code: 'invalid-utf8' }));
  });

  test('counts nested messages in replaced occurrences towards the depth limit', () => {
    let bytes: number[] = [];
    for (let depth = 0; depth < 40; depth += 1) bytes = [0x2a, bytes.length, ...bytes];
    const source = Uint8Array.from([0x1a, bytes.length, ...bytes, 0x20, 1]);
    expect(outcome(() => decodeWith(protobuf, source, { schema: proto3 }))).toHaveProperty('value');
    expect(() => decodeWith(protobuf, source, { schema: proto3, limits: { depth: 30 } })).toThrow(expect.objectContaining({ limit: 'depth' }));
  });
});

describe.each([
  ['proto2', proto2],
  ['utf8_validation = NONE', none],
])('Protocol Buffers strings without UTF-8 validation, in %s', (_, schema) => {
  test('replaces invalid UTF-8 by replacement characters, and keeps the byte order mark', async () => {
    const bytes = hex('0a03efbbbf 0a0461e282ff 1201ff 3a080a0161120361ff62 3a060a01ff120162 4201c3 4200');
    const value = { s: 'a��', left: '�', list: [], map: { a: 'a�b', '�': 'b' }, texts: ['�', ''] };
    const options = { defaults: 'implicit' as const };
    const expected = decodeWith(protobuf, bytes, { schema, options }) as Record<string, unknown>;
    expect(expected).toMatchObject(value);
    assertSame(sameInEveryCut(protobuf, bytes, { schema, options }), { value: expected });
    const read = (sink: Sink): void => protobuf.createReader(sink, options, resolveLimits(), schema).end(bytes);
    assertSame(await throughBlock(read), expected);
  });

  test('limits their length', () => {
    const decode = (bytes: string): unknown => decodeWith(protobuf, hex(bytes), { schema, limits: { stringLength: 2 } });
    for (const bytes of ['0a03ffffff', '0a03616161', '3a050a03616161'])
      expect(() => decode(bytes)).toThrow(expect.objectContaining({ limit: 'stringLength' }));
  });
});

test('rejects proto3 strings that are not UTF-8', () => {
  expect(() => decodeWith(protobuf, hex('0a01ff'), { schema: proto3 })).toThrow(expect.objectContaining({ code: 'invalid-utf8', offset: 2 }));
});

describe('Protocol Buffers varints', () => {
  test.each([
    ['a tag of six bytes', '888080808000 01', 0],
    ['a length of six bytes', '0a 818080808000 61', 1],
    ['a length of ten bytes', '0a 81808080808080808000 61', 1],
    ['a tag of six bytes in a message', '2a07 888080808000 01', 2],
    ['a tag of six bytes in an unknown group', '7b 888080808000 01 7c', 1],
    ['a length of six bytes in an unknown field', '7a 818080808000 61', 1],
    ['a value of eleven bytes', '58 8080808080808080808000', 1],
  ])('rejects %s as malformed', (_, bytes, offset) => {
    for (const schema of [proto3, proto2]) {
      const result = sameInEveryCut(protobuf, hex(bytes), { schema });
      expect(result).toEqual({ error: expect.stringMatching(new RegExp(`^DecodeError \\| malformed \\|  \\| ${offset} `)) as string });
    }
  });

  test('accepts overlong varints: five bytes for tags and lengths, ten for values, of which bits beyond 64 are ignored', () => {
    const bytes = hex('8a80808000 8180808000 61 58 81808080808080808000 50 ffffffffffffffffff7f 48 8080808080808080807e');
    assertSame(sameInEveryCut(protobuf, bytes, { schema: proto3, options: { defaults: 'none' } }), { value: { s: 'a', long: -1, int: 1 } });
  });
});
