import { BebopView } from 'bebop';
import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../core/errors.ts';
import bebop, { type BebopOptions } from '../../../../../core/formats/bebop/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { Dice, randomModel } from './random.ts';

const TEXT = `
import "other.bop"
const int32 answer = 42; const string words = "a ; } ""quoted""";
/* a message */
message M { 1 -> int32 a; 2 -> string text; 3 -> M inner; 4 -> M[] list; 5 -> U u; 6 -> E[] empties; 7 -> byte[] raw; 8 -> map[string, M] map;
  9 -> S s; 10 -> float64[] doubles; 11 -> bool[][] bits; }
struct S { int16 x; string y; }
struct E { }
[opcode("ABCD")] union U { 1 -> struct A { uint8 b; } @deprecated("no") 3 -> message B { 1 -> date d; } 4 -> S; }
readonly struct Old { guid id; }
struct Maps { map[int32, map[bool, S][]][] m; array[map[string, array[float32]]] n; map[guid, date] dates; }
enum Numbers : int64 { A = 1; B = A | 0x10; C = (1 << 4) & ~A; D = -0x8; }
struct Numbered { Numbers n; Other o; }
service Hello { world(Old): S; @deprecated("no") check(stream Old): stream Old; }`;
const imports = { 'other.bop': 'enum Other { X = 1; Y = 2; }' };
const compile = async (record: string) => bebop.compileSchema!({ bop: TEXT, record, imports });
const schema = await compile('M');

function failure(bytes: Uint8Array, options: BebopOptions = {}, limits: Partial<Limits> = {}, by = schema): string {
  const result = outcome(() => decodeWith(bebop, bytes, { schema: by, options, limits }));
  return 'error' in result ? result.error : `the value ${JSON.stringify(result.value)}`;
}

/** Message with its length prefix. */
const message = (content: string): Uint8Array => hex(`${hex(content).length.toString(16).padStart(2, '0')}000000 ${content}`);

describe('the reader', () => {
  test('decodes the message from which the malformed ones are made', () => {
    expect(failure(message('01 07000000 00'))).toBe('the value {"a":7}');
    expect(failure(message('03 01000000 00 00'))).toBe('the value {"inner":{}}');
    expect(failure(message('05 01000000 01 09 00'))).toBe('the value {"u":{"discriminator":1,"value":{"b":9}}}');
    // After an unknown field, the rest of the message cannot be read.
    expect(failure(message('01 07000000 20 ffff 00'))).toBe('the value {"a":7}');
    expect(failure(message('03 04000000 20 0102 00 01 07000000 00'))).toBe('the value {"a":7,"inner":{}}');
  });

  test.each<[string, Uint8Array, code: string, offset: number]>([
    ['nothing', hex(''), 'empty', 0],
    ['a truncated length', hex('0100'), 'truncated', 2],
    ['a truncated message', hex('06000000 01 0700'), 'truncated', 7],
    ['a truncated unknown field', hex('06000000 20 0700'), 'truncated', 7],
    ['a message without an end', hex('05000000 01 07000000'), 'malformed', 9],
    ['a message of no bytes', hex('00000000'), 'malformed', 4],
    ['a message is shorter than its length', hex('07000000 01 07000000 00 00'), 'malformed', 10],
    ['a value past the end of its message', hex('03000000 01 0700'), 'malformed', 5],
    ['a duplicate field', message('01 07000000 01 08000000 00'), 'malformed', 9],
    ['bytes after the record', hex('01000000 00 00'), 'trailing-bytes', 5],
    ['a string past the end of its message', message('02 05000000 61 00'), 'malformed', 5],
    ['a string of most bytes', hex('06000000 02 e8ffff1f 00'), 'malformed', 5],
    ['a string of invalid UTF-8', message('02 02000000 61ff 00'), 'invalid-utf8', 10],
    ['a message past the end of its container', message('03 09000000 00 00'), 'malformed', 5],
    ['an array past the end of its message', message('04 05000000 01000000 00 00'), 'malformed', 14],
    ['doubles past the end of their message', message('0a 02000000 0000000000000000 00'), 'malformed', 5],
    ['an unknown branch of a union', message('05 01000000 02 09 00'), 'malformed', 9],
    ['a union is shorter than its length', message('05 02000000 01 09 00 00'), 'malformed', 11],
    ['a union that ends after its length', message('05 00000000 01 09 00'), 'malformed', 10],
    ['a map past the end of its message', message('08 02000000 00000000 01000000 00 00'), 'malformed', 18],
    ['more pairs than a message has bytes', message('08 50000000 00'), 'malformed', 5],
  ])('rejects with a code and an offset: %s', (_, bytes, code, offset) => {
    expect(failure(bytes)).toContain(`DecodeError | ${code} |  | ${offset} |`);
    if (bytes.length > 0) sameInEveryCut(bebop, bytes, { schema });
  });

  test('rejects a truncated sequence', () => {
    expect(failure(hex('01000000 00 01000000'), { sequence: true })).toContain('truncated |  | 9 |');
    expect(failure(hex('01000000 00 0100'), { sequence: true })).toContain('truncated |  | 7 |');
    expect(failure(hex('01000000 00 01000000 00'), { sequence: true })).toBe('the value [{},{}]');
  });
});

describe('limited reader', () => {
  const nested = (depth: number): Uint8Array => {
    let content: number[] = [0];
    for (let i = 0; i < depth; i += 1) {
      const { length } = content;
      content = [3, length & 0xff, (length >> 8) & 0xff, length >> 16, 0, ...content, 0];
    }
    return Uint8Array.from([content.length & 0xff, (content.length >> 8) & 0xff, content.length >> 16, 0, ...content]);
  };

  test('bounds the depth', () => {
    expect(failure(nested(3), {}, { depth: 4 })).toContain('the value');
    expect(failure(nested(4), {}, { depth: 4 })).toContain('LimitError | limit | depth');
    expect(failure(nested(3), { sequence: true }, { depth: 4 })).toContain('LimitError | limit | depth');
    expect(failure(nested(1500))).toContain('LimitError | limit | depth');
  });

  test('bounds values, strings and bytes', () => {
    expect(failure(hex('00100000 04 00000010'), {}, { values: 1000 })).toContain('LimitError | limit | values');
    expect(failure(hex('00100000 02 03000000'), {}, { stringLength: 2 })).toContain('LimitError | limit | stringLength | 5');
    expect(failure(hex('00100000 07 03000000'), {}, { binaryLength: 2 })).toContain('LimitError | limit | binaryLength | 5');
  });

  test('counts structs without bytes', async () => {
    expect(failure(hex('00000070 06 ffffff6f'))).toContain('LimitError | limit | expansion');
    const empty = await compile('E');
    expect(failure(hex('00'), {}, {}, empty)).toContain('trailing-bytes |  | 0 |');
    expect(failure(hex('00'), { sequence: true }, {}, empty)).toContain('trailing-bytes |  | 0 |');
    expect(failure(hex(''), {}, {}, empty)).toBe('the value {}');
  });
});

describe('.bop compiler', () => {
  test('reads arrays of maps, which a binary schema cannot express', async () => {
    const view = BebopView.getInstance();
    view.startWriting();
    // m: one map of one key, of one array of one map; n: one map.
    for (const number of [1, 1, 5, 1, 1]) view.writeUint32(number);
    view.writeByte(1);
    view.writeInt16(-3);
    view.writeString('y');
    for (const number of [1, 1]) view.writeUint32(number);
    view.writeString('floats');
    view.writeUint32(1);
    view.writeFloat32(1.5);
    view.writeUint32(1);
    view.writeGuid('e215a946-b26f-4567-a276-13136f0a1708');
    view.writeDate(new Date(5));
    const bytes = Uint8Array.from(view.toArray());
    const maps = await compile('Maps');
    assertSame(sameInEveryCut(bebop, bytes, { schema: maps }), {
      value: {
        m: [new Map([[5, [new Map([[true, { x: -3, y: 'y' }]])]]])],
        n: [new Map([['floats', [1.5]]])],
        dates: new Map([['e215a946-b26f-4567-a276-13136f0a1708', new Date(5)]]),
      },
    });
    assertSame(decodeWith(bebop, bytes, { schema: maps, options: { maps: 'object' } }), {
      m: [{ 5: [{ true: { x: -3, y: 'y' } }] }],
      n: [{ floats: [1.5] }],
      dates: { 'e215a946-b26f-4567-a276-13136f0a1708': new Date(5) },
    });
  });

  test('reads the values of enums, and imports', async () => {
    const numbered = await compile('Numbered');
    expect(numbered!.enums.find(({ name }) => name === 'Numbers')).toMatchObject({ names: ['A', 'B', 'C', 'D'], values: [1n, 17n, 16n, -8n] });
    const bytes = hex('1100000000000000 02000000');
    assertSame(decodeWith(bebop, bytes, { schema: numbered, options: { enums: 'name' } }), { n: 'B', o: 'Y' });
    assertSame(decodeWith(bebop, bytes, { schema: numbered, options: { int64: 'bigint' } }), { n: 17n, o: 2 });
  });

  test.each([
    ['struct S { int32 x }', 'line 1: expected “;” but found }'],
    ['struct S { int32 x; \n inte y; }', 'unknown type inte'],
    ['message S { 0 -> int32 x; }', 'line 1: expected a number from 1 to 255 but found 0'],
    ['message S { 1 -> int32 x; 1 -> int32 y; }', 'S has two fields with the same index'],
    ['struct S { int32 x; int32 x; }', 'S has two fields with the same name'],
    ['struct S { T t; } struct T { S s; }', 'the struct'],
    ['struct S { map[T, int32] t; } struct T { }', 'a map whose keys are not scalars'],
    ['struct S { } struct S { }', 'S is defined twice'],
    ['union S { 1 -> E; } enum E { X = 1; }', 'S has a branch that is not a struct or message'],
    ['enum E : string { X = 1; } struct S { }', 'line 1: expected a type of integers but found string'],
    ['enum E { X = Y; } struct S { }', 'line 1: expected the name of an earlier value but found Y'],
    ['struct S { ', 'line 1: expected a name but found the end'],
    ['import "a.bop" struct S { T t; }', 'unknown type T; files that were not given: a.bop'],
    ['struct T { }', 'unknown record S; known records: T'],
    ['union U { 1 -> struct T { int32 x; } } struct S { T t; }', 'S refers to T, which only the union U may do'],
    ['struct S { map[string, T[]] t; } union U { 1 -> message T { } }', 'S refers to T, which only the union U may do'],
    ['union U { 1 -> struct T { } } union S { 1 -> T; }', 'S refers to T, which only the union U may do'],
    ['struct S { string constructor; }', 'S.constructor has a reserved name'],
    ['message S { 1 -> string __proto__; }', 'S.__proto__ has a reserved name'],
    ['struct bebopRecord { } struct S { }', 'bebopRecord is a reserved name'],
    ['struct S { } service Hello { 1 -> void world(); }', 'line 1: expected a name but found 1'],
    ['struct S { } service Hello { world(S) }', 'line 1: expected “:” but found }'],
    ['struct S { } service Hello { world(int32): S; }', 'line 1: expected the name of a record but found int32'],
    ['struct S { } `', 'line 1: unexpected "`"'],
    [`struct S { ${'array['.repeat(100)}int32${']'.repeat(100)} x; }`, 'expected a type with less nesting'],
  ])('rejects %s', async (bop, reason) => {
    await expect(async () => bebop.compileSchema!({ bop, record: 'S' }, 'mine')).rejects.toThrow(reason);
    await expect(async () => bebop.compileSchema!({ bop, record: 'S' }, 'mine')).rejects.toMatchObject({ name: 'SchemaError', schema: 'mine' });
  });

  test('rejects anything that is not a schema', async () => {
    expect(() => decodeWith(bebop, hex('00'))).toThrow('a schema is required: set the option schema (bebop)');
    for (const input of [
      undefined,
      { bop: TEXT },
      { bop: 5, record: 'S' },
      { bop: new Uint8Array(0), record: 'S' },
      { bop: hex('02'), record: 'S' },
    ]) {
      await expect(async () => bebop.compileSchema!(input)).rejects.toThrow(SchemaError);
    }
  });

  test('rejects or compiles damaged and truncated texts and binary schemas', async () => {
    const model = randomModel(new Dice(4));
    for (const source of [model.binary, new TextEncoder().encode(TEXT)]) {
      for (let at = 0; at < source.length; at += 3) {
        const damaged = source.slice();
        damaged[at]! ^= 0x15;
        for (const bytes of [damaged, source.slice(0, at)]) {
          try {
            await bebop.compileSchema!({ bop: source === model.binary ? bytes : new TextDecoder().decode(bytes), record: model.root });
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaError);
          }
        }
      }
    }
  });
});

test('strings and comments of a schema may have any length', async () => {
  const long = 'ab'.repeat(4_000_000);
  for (const string of [`"${long}"`, `'${long}'`, `"${'""'.repeat(4_000_000)}"`, `'${String.raw`\'`.repeat(4_000_000)}'`]) {
    const schema = await bebop.compileSchema!({ bop: `/* ${long} */ const string x = ${string}; struct S { int32 a; }`, record: 'S' });
    expect(schema).toMatchObject({ records: [{ name: 'S' }] });
  }
  await expect(bebop.compileSchema!({ bop: `struct S { int32 a; }\n"${long}`, record: 'S' })).rejects.toThrow('line 2: unexpected ');
});
