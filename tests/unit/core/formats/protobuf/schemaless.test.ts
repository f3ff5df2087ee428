import { describe, expect, test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { Bytes, Dice, randomMessage, randomProto } from './random.ts';

const decode = (bytes: readonly number[], options = {}): unknown =>
  decodeWith(protobuf, Uint8Array.from(bytes), { options: { schemaless: true, ...options } });
const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)];

/** A message with one length-delimited field. */
function field(content: number[]): number[] {
  const bytes = new Bytes();
  bytes.tag(2, 2);
  bytes.delimited(content);
  return bytes.list;
}
const guessOf = (content: number[]): unknown => (decode(field(content)) as [{ guess: unknown }])[0].guess;

test('decodes each wire type without a schema to a value and the guessed type', () => {
  const bytes = new Bytes();
  bytes.bytes([0x08, 0x96, 0x01, 0x08]);
  bytes.varint(-2n);
  bytes.bytes([0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0x11, 5, 0, 0, 0, 0, 0, 0, 0]);
  bytes.bytes([0x1d, 0, 0, 0xc0, 0x3f, 0x1d, 5, 0, 0, 0, 0x23, 0x08, 1, 0x24]);
  bytes.bytes([0x2a, 2, 0x08, 1, 0x2a, 3, 0xff, 0xff, 0xff]);
  assertSame(decode(bytes.list), [
    { field: 1, wire: 'varint', guess: 'uint64', value: 150 },
    { field: 1, wire: 'varint', guess: 'int64', value: -2 },
    { field: 2, wire: 'i64', guess: 'double', value: 1.5 },
    { field: 2, wire: 'i64', guess: 'fixed64', value: 5 },
    { field: 3, wire: 'i32', guess: 'float', value: 1.5 },
    { field: 3, wire: 'i32', guess: 'fixed32', value: 5 },
    { field: 4, wire: 'group', value: [{ field: 1, wire: 'varint', guess: 'uint64', value: 1 }] },
    { field: 5, wire: 'len', guess: 'message', value: [{ field: 1, wire: 'varint', guess: 'uint64', value: 1 }] },
    { field: 5, wire: 'len', guess: 'bytes', value: Uint8Array.of(255, 255, 255) },
  ]);
});

test('guesses that length-delimited fields without a schema are text, messages or bytes', () => {
  expect(guessOf([])).toBe('string');
  // It also parses as a message: field 13 with the value 105.
  expect(guessOf(utf8('hi'))).toBe('string');
  expect(guessOf(utf8('漢字 and a line\nbreak'))).toBe('string');
  expect(guessOf(field(utf8('inner')))).toBe('message');
  expect(guessOf(field(utf8('x'.repeat(32))))).toBe('message');
  expect(guessOf([8, 1, 8])).toBe('bytes');
  expect(guessOf([0xc3, 0x28])).toBe('bytes');
});

test('decodes a sequence without a schema to a list of messages', () => {
  assertSame(decode([2, 8, 1, 0, 2, 16, 5], { sequence: true }), [
    [{ field: 1, wire: 'varint', guess: 'uint64', value: 1 }],
    [],
    [{ field: 2, wire: 'varint', guess: 'uint64', value: 5 }],
  ]);
  sameInEveryCut(protobuf, Uint8Array.of(2, 8, 1, 0, 2, 16), { options: { schemaless: true, sequence: true } });
});

test('decodes every message without a schema in every cut', async () => {
  for (let seed = 0; seed < caseCount(60); seed += 1) {
    const dice = new Dice(seed);
    const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto2'), message: 't.M0' }))!;
    for (let i = 0; i < 20; i += 1) {
      const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: false, unknown: true }));
      expect(outcome(() => decode([...bytes]))).toHaveProperty('value');
      if (bytes.length < 120 && i < 3) sameInEveryCut(protobuf, bytes, { options: { schemaless: true } });
    }
  }
});

describe('Protocol Buffers reader without a schema', () => {
  test.each([
    [[0x08], 'truncated', 1],
    [[0x0a, 5, 1], 'truncated', 3],
    [[0x0b, 0x08, 1], 'truncated', 3],
    [[0x0b, 0x14], 'malformed', 1],
    [[0x0c], 'malformed', 0],
    [[0x0f], 'malformed', 0],
    [[0x00], 'malformed', 0],
  ])('rejects malformed input with a code and an offset: %o', (bytes, code, offset) => {
    expect(outcome(() => decode(bytes))).toEqual({ error: expect.stringContaining(`DecodeError | ${code} |  | ${offset} |`) });
    sameInEveryCut(protobuf, Uint8Array.from(bytes), { options: { schemaless: true } });
  });

  test('stops at the depth limit: rejects deep groups and takes deep messages for bytes', () => {
    const groups = Array.from({ length: 5000 }, () => 0x0b);
    expect(outcome(() => decode(groups))).toEqual({ error: expect.stringContaining('LimitError | limit | depth') });
    let bytes: number[] = [8, 1];
    for (let i = 0; i < 600; i += 1) bytes = field(bytes);
    expect(outcome(() => decode(bytes))).toHaveProperty('value');
  });
});
