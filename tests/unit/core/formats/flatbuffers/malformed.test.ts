import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../core/errors.ts';
import flatbuffers, { type FlatBuffersOptions } from '../../../../../core/formats/flatbuffers/index.ts';
import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FlatBuffersSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import { type Limits, resolveLimits } from '../../../../../core/limits.ts';
import { decodeWith, outcome } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { bfbsOf, field } from './reflection.ts';

/** table Root { n: int; text: string; inner: Root; list: [Root]; u: U; us: [U]; raw: [ubyte] (nested: Root); must: string } */
const schema: FlatBuffersSchema = {
  root: 0,
  identifier: '',
  objects: [
    {
      name: 'Root',
      struct: false,
      size: 0,
      fields: [
        field('n', 0, t.INT),
        field('text', 1, t.STRING),
        field('inner', 2, t.OBJ, { ref: 0 }),
        field('list', 3, t.VECTOR, { element: t.OBJ, ref: 0 }),
        field('u_type', 4, t.UTYPE, { ref: 0 }),
        field('u', 5, t.UNION, { ref: 0 }),
        field('us_type', 6, t.VECTOR, { element: t.UTYPE, ref: 0 }),
        field('us', 7, t.VECTOR, { element: t.UNION, ref: 0 }),
        field('raw', 8, t.VECTOR, { element: t.UBYTE, nested: 0 }),
        field('structs', 9, t.VECTOR, { element: t.OBJ, ref: 2 }),
        field('far', 10, t.VECTOR64, { element: t.UBYTE, far: true }),
        field('texts', 11, t.VECTOR, { element: t.STRING }),
      ],
    },
    { name: 'Strict', struct: false, size: 0, fields: [field('must', 0, t.STRING, { required: true })] },
    { name: 'S', struct: true, size: 8, fields: [field('x', 0, t.DOUBLE)] },
  ],
  enums: [
    {
      name: 'U',
      union: true,
      flags: false,
      names: ['NONE', 'Root', 'S', 'text'],
      values: [0n, 1n, 2n, 3n],
      types: [0, t.OBJ, t.OBJ, t.STRING],
      refs: [-1, 0, 2, -1],
    },
  ],
};

const DEFAULTS: FlatBuffersOptions = { defaults: 'none' };

function failure(bytes: Uint8Array, options: FlatBuffersOptions = {}, limits: Partial<Limits> = {}, by = schema): string {
  const result = outcome(() => decodeWith(flatbuffers, bytes, { schema: by, options: { ...DEFAULTS, ...options }, limits }));
  return 'error' in result ? result.error : `the value ${JSON.stringify(result.value)}`;
}

/**
 * A buffer with its root table at 32 and its vtable of up to 14 entries at 4. The table has `size` bytes and one
 * field `id` at its byte 4; `rest` begins at 40.
 */
function one(id: number, table: string, rest = '', size = 8): Uint8Array {
  const entries = Array.from({ length: 12 }, (_, index) => (index === id ? '0400' : '0000')).join('');
  return hex(`20000000 1c00 ${size.toString(16).padStart(2, '0')}00 ${entries} 1c000000 ${table} ${rest}`);
}

describe('FlatBuffers reader', () => {
  test('decodes the valid buffer from which malformed ones are derived', () => {
    expect(failure(one(0, '07000000'))).toBe('the value {"n":7}');
    expect(failure(one(1, '04000000', '02000000 6162 00'))).toBe('the value {"text":"ab"}');
  });

  test.each<[string, Uint8Array, code: string, offset: number]>([
    ['nothing but an offset', hex('04000000'), 'truncated', 4],
    ['a root offset of 0', hex('00000000 00000000'), 'malformed', 0],
    ['a root offset past the end', hex('06000000 00000000'), 'malformed', 0],
    ['a vtable before the buffer', hex('04000000 05000000 00000000'), 'malformed', 4],
    ['a vtable past the end', hex('04000000 fcffffff 0000'), 'malformed', 4],
    ['invalid vtable size: 2 bytes', hex('04000000 fcffffff 0200 0400'), 'malformed', 8],
    ['a vtable of an odd size', hex('04000000 fcffffff 0500 0400 00'), 'malformed', 8],
    ['a truncated vtable', hex('04000000 fcffffff 0600 0400'), 'malformed', 8],
    ['invalid table size: 3 bytes', hex('04000000 fcffffff 0400 0300'), 'malformed', 10],
    ['a truncated table', hex('04000000 fcffffff 0400 0900'), 'malformed', 4],
    ['a field that is not in its table', one(0, '07000000', '', 7), 'malformed', 8],
    ['a field in the offset of the vtable', hex('10000000 0600 0800 0300 000000000000 0c000000 00000000'), 'malformed', 8],
    ['a string past the end', one(1, '08000000'), 'malformed', 36],
    ['invalid offset 0', one(1, '00000000', '00000000'), 'malformed', 36],
    ['a truncated string', one(1, '04000000', '03000000 6162 00'), 'malformed', 40],
    ['a string of most bytes', one(1, '04000000', 'ffffffff 6162 00'), 'malformed', 40],
    ['a string without a zero', one(1, '04000000', '02000000 6162 63'), 'malformed', 46],
    ['a string that is not UTF-8', one(1, '04000000', '02000000 61ff 00'), 'invalid-utf8', 45],
    ['a truncated vector', one(3, '04000000', '02000000 04000000'), 'malformed', 40],
    ['a vector of most items', one(3, '04000000', 'ffffffff 04000000'), 'malformed', 40],
    ['an item past the end', one(3, '04000000', '01000000 04000000'), 'malformed', 44],
    ['a string of a vector past the end', one(11, '04000000', '01000000 ffffffff'), 'malformed', 44],
    ['truncated structs', one(9, '04000000', '01000000 00000000'), 'malformed', 40],
    ['a nested buffer that is too short', one(8, '04000000', '04000000 04000000'), 'malformed', 44],
    ['a nested buffer that leaves its vector', one(8, '04000000', '08000000 04000000 00000000'), 'malformed', 48],
  ])('rejects with a code and an offset: %s', (_, bytes, code, offset) => {
    expect(failure(bytes)).toContain(`DecodeError | ${code} |  | ${offset} |`);
  });

  /** Same with two fields, `first` at byte 4 and `second` at byte 8 of the table; `rest` begins at 44. */
  const two = (first: number, second: number, table: string, rest = ''): Uint8Array => {
    const entries = Array.from({ length: 12 }, (_, index) => (index === first ? '0400' : index === second ? '0800' : '0000')).join('');
    return hex(`20000000 1c00 0c00 ${entries} 1c000000 ${table} ${rest}`);
  };

  test('rejects malformed unions', () => {
    expect(failure(two(5, 4, '08000000 03000000', '01000000 61 00'))).toBe('the value {"u_type":3,"u":"a"}');
    expect(failure(two(5, 4, '08000000 02000000', '0000000000000440'))).toBe('the value {"u_type":2,"u":{"x":2.5}}');
    expect(failure(two(5, 4, '08000000 00000000', '01000000 61 00'))).toBe('the value {"u_type":0}');
    expect(failure(two(5, 4, '08000000 07000000', '01000000 61 00'))).toContain('malformed |  | 40 |');
    expect(failure(two(5, 4, '08000000 02000000', '00000000000004'))).toContain('malformed |  | 44 |');
    expect(failure(two(5, 4, '09000000 03000000', '01000000'))).toContain('malformed |  | 45 |');
  });

  test('rejects malformed vectors of unions', () => {
    // The unions are at 44, their types at 52, a string at 60.
    const good = '01000000 0c000000 01000000 03000000 01000000 6100';
    expect(failure(two(7, 6, '08000000 0c000000', good))).toBe('the value {"us_type":[3],"us":["a"]}');
    expect(failure(two(7, 6, '08000000 0c000000', good.replace('03000000', '04000000')))).toContain('malformed |  | 56 |');
    expect(failure(two(7, 6, '08000000 0c000000', good.replace('0c000000 01000000', '0c000000 02000000')))).toContain('malformed |  | 44 |');
    expect(failure(one(7, '04000000', '01000000 0c000000 01000000'))).toContain('malformed |  | 40 |');
  });

  test('rejects 64-bit offsets and lengths that point outside the buffer', () => {
    const far = (offset: string, rest: string): Uint8Array => one(10, offset, rest, 12);
    expect(failure(far('08000000 00000000', '0200000000000000 0102'), { vectors: 'bytes' })).toBe('the value {"far":{"0":1,"1":2}}');
    expect(failure(far('08000000 01000000', '0200000000000000 0102'))).toContain('malformed |  | 36 |');
    expect(failure(far('08000000 00000000', '0200000001000000 0102'))).toContain('malformed |  | 44 |');
    expect(failure(far('08000000 00000000', '02000000 0000'))).toContain('malformed |  | 44 |');
  });

  test('rejects a table without a required field', () => {
    const strict = { ...schema, root: 1 };
    expect(failure(hex('08000000 0400 0400 04000000'), {}, {}, strict)).toBe('DecodeError | malformed |  | 8 | the field Strict.must is required');
  });

  test('rejects a different file identifier', () => {
    const named = { ...schema, identifier: 'ABCD' };
    const bytes = hex('0c000000 58595a57 0400 0400 04000000');
    expect(failure(bytes, {}, {}, named)).toBe('DecodeError | malformed |  | 4 | the file identifier is "XYZW", not "ABCD"');
    expect(failure(bytes, { identifier: 'ignore' }, {}, named)).toBe('the value {}');
  });

  test('checks the length prefix of a buffer', () => {
    const bytes = '0c000000 08000000 0400 0400 04000000';
    expect(failure(hex(bytes), { sizePrefixed: true })).toBe('the value {}');
    expect(failure(hex(`${bytes} 00`), { sizePrefixed: true })).toContain('trailing-bytes |  | 16 |');
    expect(failure(hex(bytes).subarray(0, 15), { sizePrefixed: true })).toContain('truncated |  | 15 |');
    expect(failure(hex('0c00'), { sizePrefixed: true })).toContain('truncated |  | 2 |');
    expect(failure(hex(`${bytes} ${bytes}`), { sequence: true })).toBe('the value [{},{}]');
    expect(failure(hex(`${bytes} 05`), { sequence: true })).toContain('truncated |  | 17 |');
    expect(failure(hex('04000000 04000000'), { sequence: true })).toContain('truncated |  | 8 |');
  });
});

describe('limited FlatBuffers reader', () => {
  /** Tables that each contain the next twice: 2 ** depth values in a few bytes each. */
  function doubled(depth: number): Uint8Array {
    // vtable at 4: inner and list. Each table has 12 bytes, from 32 on; its list of two follows.
    const words: number[] = [];
    for (let i = 0; i < depth; i += 1) words.push(0, 20, 4, 2, 8, 4);
    const bytes = new Uint8Array(32 + depth * 24 + 12);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 32, true);
    view.setUint16(4, 12, true);
    view.setUint16(6, 8, true);
    view.setUint16(14, 4, true);
    view.setUint16(10, 0, true);
    for (let i = 0; i <= depth; i += 1) {
      const at = 32 + i * 24;
      view.setInt32(at, at - (i < depth ? 4 : 16), true);
      if (i === depth) break;
      // table: list → at + 8; both items → the next table
      view.setUint32(at + 4, 4, true);
      view.setUint32(at + 8, 2, true);
      view.setUint32(at + 12, 12, true);
      view.setUint32(at + 16, 8, true);
    }
    view.setUint16(16, 4, true);
    view.setUint16(18, 4, true);
    return bytes;
  }

  test('counts a shared table for each reference', () => {
    expect(failure(doubled(2), {}, {}, schema)).toBe('the value {"list":[{"list":[{},{}]},{"list":[{},{}]}]}');
    expect(failure(doubled(60))).toContain('LimitError | limit | expansion');
    expect(failure(doubled(400), { defaults: 'all' })).toContain('LimitError | limit | expansion');
  });

  test('counts the bytes of a shared string for each reference', () => {
    const count = 200_000;
    const bytes = new Uint8Array(44 + count * 4 + 4 + 1_000_001);
    bytes.set(one(11, '04000000'));
    const view = new DataView(bytes.buffer);
    view.setUint32(40, count, true);
    for (let i = 0; i < count; i += 1) view.setUint32(44 + i * 4, (count - i) * 4, true);
    view.setUint32(44 + count * 4, 1_000_000, true);
    bytes.fill(0x61, 48 + count * 4, bytes.length - 1);
    const sink = new Proxy({}, { get: (_, name) => (name === 'defineRecord' ? () => 0 : () => {}) });
    const reader = flatbuffers.createReader(sink as never, {}, resolveLimits(), schema);
    reader.push(bytes);
    expect(() => reader.end()).toThrow('expansion limit exceeded (16 values per byte of input)');
  });

  test('bounds the depth', () => {
    expect(failure(doubled(3), {}, { depth: 7 })).toContain('the value');
    expect(failure(doubled(3), {}, { depth: 6 })).toContain('LimitError | limit | depth');
  });

  test('bounds values, strings and bytes', () => {
    expect(failure(doubled(4), {}, { values: 50 })).toContain('LimitError | limit | values');
    expect(failure(one(1, '04000000', '03000000 616263 00'), {}, { stringLength: 2 })).toContain('stringLength | 40');
    expect(failure(one(8, '04000000', '03000000 616263 00'), { nested: 'bytes', vectors: 'bytes' }, { binaryLength: 2 })).toContain(
      'binaryLength | 40',
    );
  });
});

describe('FlatBuffers schema compiler', () => {
  test('names schemas in errors, also when missing', async () => {
    expect(() => decodeWith(flatbuffers, hex('00'))).toThrow('a schema is required: set the option schema (flatbuffers)');
    const compile = async (input: unknown): Promise<unknown> => flatbuffers.compileSchema!(input, 'mine');
    await expect(compile(undefined)).rejects.toThrow(SchemaError);
    await expect(compile({ bfbs: 'text' })).rejects.toThrow(
      'invalid FlatBuffers schema: expected { bfbs, table }, or { fbs, root } with a text (flatbuffers)',
    );
    await expect(compile({ bfbs: hex('0000') })).rejects.toMatchObject({
      schema: 'mine',
      reason: 'the schema is not a .bfbs file (flatc --schema --binary)',
    });
    await expect(compile({ bfbs: bfbsOf(schema), table: 'Rot' })).rejects.toThrow('unknown table Rot; did you mean Root? known tables: Root, Strict');
    await expect(compile({ bfbs: bfbsOf(schema), table: 'S' })).rejects.toThrow('unknown table S');
    await expect(compile({ bfbs: bfbsOf(schema), table: 'Strict' })).resolves.toMatchObject({ root: 1 });
  });

  test('rejects invalid schemas', async () => {
    const refuse = async (change: (copy: FlatBuffersSchema) => void, reason: string): Promise<void> => {
      const copy = structuredClone(schema);
      change(copy);
      await expect(async () => flatbuffers.compileSchema!({ bfbs: bfbsOf(copy) })).rejects.toThrow(reason);
    };
    await refuse((copy) => (copy.objects[2]!.size = 4), 'S.x has the unsupported type');
    await refuse((copy) => (copy.objects[2]!.fields[0] = field('x', 0, t.STRING)), 'S.x has the unsupported type');
    await refuse((copy) => (copy.objects[2]!.fields[0] = field('x', 0, t.OBJ, { ref: 2 })), 'the struct S contains itself');
    await refuse((copy) => (copy.objects[0]!.fields[2]!.ref = 9), 'Root.inner has the unsupported type');
    await refuse((copy) => (copy.objects[0]!.fields[4]!.type = t.INT), 'Root.u has the unsupported type');
    await refuse((copy) => (copy.enums[0]!.types[1] = t.INT), 'the union U has a member of an unsupported type');
    await refuse((copy) => (copy.objects[0]!.fields[1]!.id = 0), 'Root has two fields with the same id');
  });
});
