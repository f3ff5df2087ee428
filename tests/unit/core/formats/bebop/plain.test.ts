/** Small records decoded at once, without a reader. `decodeWith` compares the other code paths. */
import { describe, expect, test } from 'vitest';
import bebop, { type BebopOptions } from '../../../../../core/formats/bebop/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { shapeOf } from '../../../../../core/sinks/objects/objects.ts';
import { decodeWith, difference } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';

const BOP = `
  enum Kind : byte { none = 0; some = 1; }
  struct Place { float64 x; bool there; }
  message Note { 1 -> string text; 2 -> Place[] places; 3 -> Note inner; }
  struct Row { string name; int16 count; uint64 big; Kind kind; byte[] data; float32[] ratios; Note note; }
  struct Rows { Row[] rows; }
  struct Named { map[string, int32] numbers; }
  struct Id { guid id; }`;
const compile = async (record: string) => bebop.compileSchema!({ bop: BOP, record });
const schema = await compile('Rows');

function decodeAtOnce(bytes: Uint8Array, options: BebopOptions = {}, by = schema): unknown {
  return bebop.decodeAtOnce!(bytes, options, resolveLimits(), by, shapeOf);
}

/** `count` rows with the given note. */
function rows(note: string, count = 1, big = '0500000000000000'): Uint8Array {
  const length = hex(note).length.toString(16).padStart(2, '0');
  const row = `03000000 c3a961 feff ${big} 01 02000000 0102 01000000 0000003f ${length}000000 ${note}`;
  return hex(`${count.toString(16).padStart(2, '0')}000000 ${row.repeat(count)}`);
}

const ROW = { name: 'éa', count: -2, big: 5, kind: 1, data: Uint8Array.of(1, 2), ratios: [0.5] };
const PLACES = '02 01000000 000000000000e03f 01';

describe('plain decoder', () => {
  test.each<[string, string, object]>([
    ['a message without fields', '00', {}],
    ['reordered fields', `${PLACES} 01 01000000 61 00`, { text: 'a', places: [{ x: 0.5, there: true }] }],
    ['a message in a message', '03 01000000 00 00', { inner: {} }],
    ['a message that ends with an unknown field', '01 01000000 61 09 ffff', { text: 'a' }],
  ])('agrees with the reader on %s', (_, note, expected) => {
    const bytes = rows(note);
    expect(difference(decodeAtOnce(bytes), { rows: [{ ...ROW, note: expected }] })).toBeUndefined();
    decodeWith(bebop, bytes, { schema });
  });

  test('agrees with the reader on records frequent enough to get a maker', () => {
    const bytes = rows(`${PLACES} 00`, 40);
    const value = decodeAtOnce(bytes);
    expect(value).toBeDefined();
    expect(difference(value, decodeWith(bebop, bytes, { schema, chunkSizes: [1] }))).toBeUndefined();
  });
});

describe('plain decoder', () => {
  test('leaves truncated data and data with trailing bytes to the reader', () => {
    const bytes = rows(`${PLACES} 01 01000000 61 00`, 2);
    expect(decodeAtOnce(bytes)).toBeDefined();
    for (let end = 0; end < bytes.length; end += 1) expect(decodeAtOnce(bytes.subarray(0, end))).toBeUndefined();
    expect(decodeAtOnce(Uint8Array.of(...bytes, 0))).toBeUndefined();
  });

  test.each<[string, Uint8Array, BebopOptions?]>([
    ['a repeated field', rows('01 01000000 61 01 01000000 61 00')],
    ['a message is shorter than its length', rows('00 00')],
    ['a length past the end of its message', rows('01 05000000 61 00')],
    ['an inexact number', rows('00', 1, 'ffffffffffffffff')],
    ['numbers as text', rows('00'), { int64: 'string' }],
    ['enums as names', rows('00'), { enums: 'name' }],
    ['a sequence', rows('00'), { sequence: true }],
    ['a string of invalid UTF-8', rows('01 01000000 ff 00')],
    ['more items than bytes', hex('ffffffff')],
  ])('leaves to the reader %s', (_, bytes, options) => {
    expect(decodeAtOnce(bytes, options)).toBeUndefined();
  });

  test('leaves maps and guids to the reader', async () => {
    expect(decodeAtOnce(hex('00000000'), {}, await compile('Named'))).toBeUndefined();
    expect(decodeAtOnce(new Uint8Array(16), {}, await compile('Id'))).toBeUndefined();
  });

  test('leaves messages that are too deep to the reader', async () => {
    const note = await compile('Note');
    const nested = (depth: number): Uint8Array => {
      let message = [0];
      for (let level = 0; level < depth; level += 1) message = [3, message.length & 0xff, message.length >> 8, 0, 0, ...message, 0];
      return Uint8Array.of(message.length & 0xff, message.length >> 8, 0, 0, ...message);
    };
    expect(decodeAtOnce(nested(20), {}, note)).toBeDefined();
    expect(decodeAtOnce(nested(60), {}, note)).toBeUndefined();
    expect(decodeWith(bebop, nested(60), { schema: note })).toBeDefined();
  });
});
