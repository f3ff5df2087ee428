import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../core/errors.ts';
import capnproto, { type CapnProtoOptions } from '../../../../../core/formats/capnproto/index.ts';
import * as t from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema, FieldSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { decodeWith, outcome } from '../../../../setup/ways/differential.ts';
import { openFolder } from '../../../../setup/servers/folders.ts';
import { hex } from '../../../../setup/values/hex.ts';

const types = [
  { type: t.TEXT, ref: -1 },
  { type: t.DATA, ref: -1 },
  { type: t.STRUCT, ref: 0 },
  { type: t.LIST, ref: 4 },
  { type: t.UINT32, ref: -1 },
  { type: t.LIST, ref: 6 },
  { type: t.BOOL, ref: -1 },
  { type: t.LIST, ref: 2 },
  { type: t.LIST, ref: 0 },
  { type: t.LIST, ref: 10 },
  { type: t.VOID, ref: -1 },
  { type: t.ANY_POINTER, ref: -1 },
  { type: t.INTERFACE, ref: -1 },
  { type: t.LIST, ref: 3 },
];
const NAMES = ['text', 'data', 'inner', 'uints', 'u', 'bits', 'b', 'structs', 'texts', 'voids', 'v', 'any', 'cap', 'lists'];
const pointer = (name: string, offset = 0): FieldSchema => ({
  name,
  type: NAMES.indexOf(name),
  offset,
  discriminant: t.NO_UNION,
  low: 0,
  high: 0,
  at: -1,
  segment: -1,
});

/** A struct of one pointer of a given type; the pointer's struct has the same pointer and one more. */
function schemaOf(name: string): CapnProtoSchema {
  const next = pointer('structs', 1);
  return {
    root: 0,
    types,
    structs: [{ name: 'S', fields: [pointer(name), ...(name === 'structs' ? [] : [next])], union: false, discriminantOffset: 0 }],
    enums: [],
    request: new Uint8Array(0),
  };
}

function failure(name: string, bytes: Uint8Array, options: CapnProtoOptions = {}, limits: Partial<Limits> = {}): string {
  const result = outcome(() =>
    decodeWith(capnproto, bytes, { schema: schemaOf(name), options: { packed: false, defaults: 'none', ...options }, limits }),
  );
  return 'error' in result
    ? result.error
    : `the value ${JSON.stringify(result.value, (_, item: unknown) => (item instanceof Uint8Array ? [...item] : item))}`;
}

/** A message of one segment: the root pointer at 8, the root's one pointer at 16, `rest` at 24. */
function one(first: string, rest = ''): Uint8Array {
  const body = hex(`0000000000000100 ${first} ${rest}`);
  return Uint8Array.from([...hex(`00000000 ${(body.length / 8).toString(16).padStart(2, '0')}000000`), ...body]);
}

describe("Cap'n Proto reader", () => {
  test('decodes the valid message from which malformed ones are derived', () => {
    expect(failure('text', one('0100000012000000', '6100000000000000'))).toBe('the value {"text":"a"}');
    expect(failure('uints', one('0100000014000000', '0100000002000000'))).toBe('the value {"uints":[1,2]}');
    expect(failure('inner', one('fcffffff00000000'))).toBe('the value {"inner":{}}');
  });

  test.each<[string, string, Uint8Array, code: string, offset: number]>([
    ['a truncated segment table', 'text', hex('0000'), 'truncated', 2],
    ['a segment table of most segments', 'text', hex('ffffffff 00000000'), 'truncated', 8],
    ['a truncated segment', 'text', hex('00000000 02000000 0000000000000000'), 'truncated', 16],
    ['a segment of most words', 'text', hex('00000000 ffffffff 0000000000000000'), 'truncated', 16],
    ['bytes after the message', 'text', hex('00000000 01000000 0000000000000000 00'), 'trailing-bytes', 16],
    ['an empty message', 'text', hex('00000000 00000000'), 'truncated', 8],
    ['a root that is a list', 'text', hex('00000000 01000000 0100000000000000'), 'malformed', 8],
    ['a root out of its segment', 'text', hex('00000000 01000000 0000000001000000'), 'malformed', 8],
    ['a root before its segment', 'text', hex('00000000 01000000 f8ffffff00000000'), 'malformed', 8],
    ['a pointer of unknown kind', 'any', one('0700000000000000'), 'malformed', 16],
    ['a list out of its segment', 'uints', one('010000001c000000', '0100000002000000'), 'malformed', 16],
    ['a struct instead of a text', 'text', one('0000000001000000', '0000000000000000'), 'malformed', 16],
    ['text that is not a list of bytes', 'text', one('0100000013000000', '6100000000000000'), 'malformed', 16],
    ['data that is not a list of bytes', 'data', one('0100000014000000', '6100000000000000'), 'malformed', 16],
    ['a text without a zero', 'text', one('0100000042000000', '6161616161616161'), 'malformed', 16],
    ['a text of no bytes', 'text', one('0100000002000000'), 'malformed', 16],
    ['a text that is not UTF-8', 'text', one('0100000012000000', 'ff00000000000000'), 'invalid-utf8', 24],
    ['expected a struct, found a list', 'inner', one('0100000002000000'), 'malformed', 16],
    ['items that are too small', 'uints', one('0100000012000000', '0100000000000000'), 'malformed', 16],
    ['items that are pointers', 'uints', one('010000000e000000', '0000000000000000'), 'malformed', 16],
    ['items that are not pointers', 'texts', one('010000000d000000', '0000000000000000'), 'malformed', 16],
    ['bits that are bytes', 'bits', one('010000000a000000', '0000000000000000'), 'malformed', 16],
    ['structs that are bits', 'structs', one('0100000009000000', '0000000000000000'), 'malformed', 16],
    ['structs without their tag', 'structs', one('0100000007000000'), 'malformed', 16],
    ['structs whose tag is a list', 'structs', one('0100000007000000', '0100000000000000'), 'malformed', 24],
    ['structs that do not fit their list', 'structs', one('0100000007000000', '0400000001000000'), 'malformed', 24],
    ['a far pointer to no segment', 'text', one('0200000001000000'), 'malformed', 16],
    ['a far pointer out of its segment', 'text', one('2200000000000000'), 'malformed', 16],
    ['a far pointer to a far pointer', 'text', one('1200000000000000', '1200000000000000'), 'malformed', 16],
    ['a truncated double far pointer', 'text', one('1600000000000000', '0000000000000000'), 'malformed', 16],
    ['a double far pointer to no far pointer', 'text', one('1600000000000000', '0000000000000000 0100000012000000'), 'malformed', 24],
    ['a double far pointer without a type', 'text', one('1600000000000000', '0200000000000000 0500000012000000'), 'malformed', 32],
    ['a double far pointer out of its segment', 'text', one('1600000000000000', '2200000000000000 01000000ff000000'), 'malformed', 24],
    ['a capability instead of a text', 'text', one('0300000000000000'), 'malformed', 16],
  ])('rejects with a code and an offset: %s', (_, name, bytes, code, offset) => {
    expect(failure(name, bytes)).toContain(`DecodeError | ${code} |  | ${offset} |`);
  });

  test.each([
    ['a struct', '0400000000000000', 'expected a list, found a struct'],
    ['a capability', '0300000000000000', 'expected another value, found a capability'],
  ])('rejects %s instead of a text, after a text', (_, second, reason) => {
    const structs = [{ name: 'S', fields: [pointer('text'), { ...pointer('text', 1), name: 'second' }], union: false, discriminantOffset: 0 }];
    const schema = { ...schemaOf('text'), structs };
    const bytes = hex(`00000000 05000000 0000000000000200 050000001a000000 ${second} 6162000000000000 6364000000000000`);
    expect(outcome(() => decodeWith(capnproto, bytes, { schema, options: { packed: false } }))).toEqual({
      error: `DecodeError | malformed |  | 24 | ${reason}`,
    });
  });

  test('rejects a truncated packed word', () => {
    expect(failure('text', hex('10'), { packed: true })).toContain('truncated |  | 1 |');
    expect(failure('text', hex('00'), { packed: true })).toContain('truncated |  | 1 |');
    expect(failure('text', hex('ff0102030405060708'), { packed: true })).toContain('truncated |  | 9 |');
    expect(failure('text', hex('ff010203040506070801'), { packed: true })).toContain('truncated |  | 10 |');
  });

  test('rejects a truncated flat message', () => {
    expect(failure('text', hex('0000000000000100 00'), { flat: true })).toContain('truncated |  | 9 |');
  });
});

describe("Cap'n Proto reader", () => {
  test('follows far and double far pointers', () => {
    const head = '01000000 02000000 03000000 00000000';
    const single = hex(`${head} 0000000000000100 0a00000001000000  0000000000000000 0100000012000000 6200000000000000`);
    expect(failure('text', single)).toBe('the value {"text":"b"}');
    const double = hex('02000000 02000000 02000000 01000000 0000000000000100 0600000001000000  0200000002000000 0100000012000000  6300000000000000');
    expect(failure('text', double)).toBe('the value {"text":"c"}');
  });

  test('reads lists of structs that were written as other lists', () => {
    // Reads pointers as structs with one pointer, and structs as pointers.
    expect(failure('structs', one('010000000e000000', '0000000000000000'))).toBe('the value {"structs":[{}]}');
    expect(failure('structs', one('0100000012000000', '0100000000000000'))).toBe('the value {"structs":[{},{}]}');
    expect(failure('uints', one('0100000017000000', '0400000002000000 0700000000000000 0800000000000000'))).toBe('the value {"uints":[7]}');
    expect(failure('texts', one('0100000017000000', '0400000001000100 0700000000000000 0100000012000000 6400000000000000'))).toBe(
      'the value {"texts":["d"]}',
    );
    expect(failure('voids', one('0100000015000000', '0100000000000000 0200000000000000'))).toBe('the value {"voids":[null,null]}');
  });

  test('reads untyped pointers and capabilities', () => {
    expect(failure('any', one('0000000000000000'))).toBe('the value {}');
    expect(failure('any', one('0300000000000000'))).toBe('the value {"any":null}');
    expect(failure('cap', one('0300000005000000'))).toBe('the value {"cap":null}');
    expect(failure('any', one('010000001a000000', '0102030000000000'))).toBe('the value {"any":[1,2,3]}');
    expect(failure('any', one('0100000011000000', '0200000000000000'))).toBe('the value {"any":[false,true]}');
    expect(failure('any', one('0100000010000000'))).toBe('the value {"any":[null,null]}');
    expect(failure('any', one('0000000001000100', '0900000000000000 0100000012000000 6500000000000000'))).toBe(
      'the value {"any":{"data":[9,0,0,0,0,0,0,0],"pointers":[[101,0]]}}',
    );
    expect(failure('any', one('010000000f000000', '0400000001000000 0900000000000000'))).toBe(
      'the value {"any":[{"data":[9,0,0,0,0,0,0,0],"pointers":[]}]}',
    );
    expect(failure('any', one('010000000e000000', '0100000012000000 6500000000000000'))).toBe('the value {"any":[[101,0]]}');
  });
});

describe("limited Cap'n Proto reader", () => {
  test('stops at pointers that form a cycle', () => {
    expect(failure('inner', one('f8ffffff00000100'))).toContain('LimitError | limit | depth');
    expect(failure('any', one('f8ffffff00000100'))).toContain('LimitError | limit | depth');
    expect(failure('inner', one('f8ffffff00000100'), {}, { depth: 50 })).toContain('depth');
  });

  test('counts a shared object for each pointer', () => {
    // A list of 32 structs, each of which points back to the list.
    const items = Array.from({ length: 32 }, (_, i) => {
      const low = ((-(i + 2) << 2) | 1) >>> 0;
      return Array.from({ length: 4 }, (__, byte) => ((low >>> (byte * 8)) & 0xff).toString(16).padStart(2, '0')).join('') + '07010000';
    });
    const bytes = one('0100000007010000', `8000000000000100 ${items.join('')}`);
    expect(failure('structs', bytes, {}, { depth: 900 })).toContain('LimitError | limit | ');
    expect(failure('structs', bytes, {}, { depth: 1e9 })).toContain('LimitError | limit | expansion');
  });

  test('counts lists of items without bytes', () => {
    expect(failure('voids', one('01000000f8ffffff'))).toContain('LimitError | limit | expansion');
    expect(failure('any', one('01000000f8ffffff'))).toContain('LimitError | limit | expansion');
    expect(failure('structs', one('0100000007000000', 'fcffffff00000000'))).toContain('LimitError | limit | expansion');
  });

  test('counts packed zeros', () => {
    const bytes = new Uint8Array(100_000).map((_, index) => (index % 2 === 0 ? 0 : 0xff));
    expect(failure('text', bytes, { packed: true })).toContain('LimitError | limit | expansion');
  });

  test('bounds depth, values, strings and bytes', () => {
    expect(failure('inner', one('0000000000000100', '0000000000000000'), {}, { depth: 2 })).toBe('the value {"inner":{}}');
    expect(failure('inner', one('0000000000000100', '0000000000000000'), {}, { depth: 1 })).toContain('LimitError | limit | depth');
    expect(failure('uints', one('0100000014000000', '0100000002000000'), {}, { values: 3 })).toContain('LimitError | limit | values');
    expect(failure('text', one('010000001a000000', '6161000000000000'), {}, { stringLength: 1 })).toContain('stringLength | 16');
    expect(failure('data', one('010000001a000000', '6161000000000000'), {}, { binaryLength: 2 })).toContain('binaryLength | 16');
  });
});

describe("Cap'n Proto schema compiler", async () => {
  const request = await (await openFolder('fixtures', 'capnproto'))!.bytes('test.request');
  const compile = async (input: unknown): Promise<unknown> => capnproto.compileSchema!(input, 'mine');

  test('names schemas in errors, also when missing', async () => {
    expect(() => decodeWith(capnproto, hex('00'))).toThrow('a schema is required: set the option schema (capnproto)');
    await expect(compile(undefined)).rejects.toThrow(
      'invalid Cap’n Proto schema: expected { request, struct }, or { capnp, struct } with a text (capnproto)',
    );
    await expect(compile({ request: new Uint8Array(0), struct: 'A' })).rejects.toMatchObject({ name: 'SchemaError', schema: 'mine' });
    await expect(compile({ request, struct: 'TestAll' })).rejects.toThrow('unknown struct TestAll; known structs: ');
    await expect(compile({ request, struct: 'test.capnp:TestLists.Struct8' })).resolves.toMatchObject({ structs: [{ name: 'TestLists.Struct8' }] });
    expect(structuredClone(await compile({ request, struct: 'TestDefaults' }))).toEqual(await compile({ request, struct: 'TestDefaults' }));
  });

  test('rejects or compiles damaged and truncated schemas', async () => {
    for (let at = 0; at < request.length; at += 331) {
      const damaged = request.slice();
      damaged[at]! ^= 0x35;
      for (const input of [damaged, request.slice(0, at)]) {
        try {
          await compile({ request: input, struct: 'TestDefaults' });
        } catch (error) {
          expect(error).toBeInstanceOf(SchemaError);
        }
      }
    }
  });
});
