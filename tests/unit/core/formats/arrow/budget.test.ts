/** Values that few bytes of Arrow may become: text of decimals, columns that share bytes, and indices of dictionaries. */
import * as apache from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import arrow from '../../../../../core/formats/arrow/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { sharedText } from '../../../../matrix/raw.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';

/** The bytes of a table of the given columns. */
function bytesOf(columns: Record<string, apache.Data>): Uint8Array {
  const vectors = Object.entries(columns).map(([name, data]) => [name, apache.makeVector(data)]);
  return Uint8Array.from(apache.tableToIPC(new apache.Table(Object.fromEntries(vectors) as never), 'stream'));
}

/** A column of 128-bit decimals, all of them the same. */
function decimals(scale: number, value: number, length = 1): apache.Data {
  const data = new Uint32Array(length * 4);
  for (let row = 0; row < length; row++)
    data.set([value, value < 0 ? 0xffffffff : 0, value < 0 ? 0xffffffff : 0, value < 0 ? 0xffffffff : 0], row * 4);
  return apache.makeData({ type: new apache.Decimal(scale, 10), data, length });
}

function decode(bytes: Uint8Array, setting: object = {}): { value: unknown }[] {
  return decodeWith(arrow, bytes, setting) as { value: unknown }[];
}

/** The columns of a payload, as `Rows` are made of them. */
function convert(bytes: Uint8Array, options: object = {}, limits = {}): unknown {
  const reader = arrow.openTable!(options, resolveLimits(limits));
  reader.push(bytes.subarray(0, bytes.length - 8));
  reader.end(bytes.subarray(bytes.length - 8));
  return reader.take().map((batch) => {
    const column = batch.convert(0, 0, batch.rows);
    return column.data.length > 0 ? column : batch.values(0, 0, batch.rows, false);
  });
}

describe('decimals of Arrow', () => {
  it.each([
    [0, 7, '7'],
    [2, -150, '-1.50'],
    [3, 7, '0.007'],
    [-2, 7, '700'],
    [-2, -7, '-700'],
    [-2, 0, '0'],
    [2, 0, '0.00'],
  ])('has the digits that the scale %i says of %i', (scale, value, text) => {
    const bytes = bytesOf({ value: decimals(scale, value) });
    expect(decode(bytes)).toEqual([{ value: text }]);
    expect(decode(bytes, { options: { decimals: 'number' } })).toEqual([{ value: Number(text) }]);
    expect(decode(bytes, { limits: { stringLength: text.length } })).toEqual([{ value: text }]);
    expect(() => decode(bytes, { limits: { stringLength: text.length - 1 } })).toThrow(expect.objectContaining({ limit: 'stringLength' }));
  });

  it.each([2 ** 31 - 1, -(2 ** 31), 50_000_000, -50_000_000])('charges the zeros of a scale of %i before they are made', (scale) => {
    const bytes = bytesOf({ value: decimals(scale, 7) });
    const limits = { stringLength: 100, bytes: 4000, expansion: 1 };
    expect(() => decode(bytes, { limits })).toThrow(expect.objectContaining({ limit: 'stringLength', offset: expect.any(Number) as number }));
    expect(() => convert(bytes, {}, limits)).toThrow(expect.objectContaining({ limit: 'stringLength' }));
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ name: 'LimitError' }));
    expect(decode(bytes, { options: { decimals: 'number' }, limits })).toEqual([{ value: scale > 0 ? 0 : Infinity }]);
  });

  it('charges the text of all rows together', () => {
    const bytes = bytesOf({ value: decimals(10_000, 7, 1000) });
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ limit: 'expansion' }));
    expect(() => convert(bytes)).toThrow(expect.objectContaining({ limit: 'expansion' }));
    expect(decode(bytesOf({ value: decimals(10, 7, 1000) }), { limits: { expansion: 1 } })).toHaveLength(1000);
  });
});

describe('columns of Arrow that share one buffer', () => {
  it('are charged for the bytes that each of them holds', () => {
    const text = 'x'.repeat(10_000);
    const bytes = sharedText(500, text);
    expect(Object.values(decode(bytes)[0]!)).toEqual(Array.from({ length: 500 }, () => text));
    const refused = expect.objectContaining({ limit: 'expansion', offset: expect.any(Number) as number }) as Error;
    expect(() => decode(bytes, { limits: { expansion: 1 } })).toThrow(refused);
    expect(() => convert(bytes, {}, { expansion: 1 })).toThrow(refused);
    expect(decode(sharedText(1, text), { limits: { expansion: 1 } })).toEqual([{ c0: text }]);
  });
});

describe('indices of Arrow dictionaries', () => {
  const values = apache.vectorFromArray(
    Array.from({ length: 300 }, (_, at) => `v${at}`),
    new apache.Utf8(),
  );
  const numbers = apache.vectorFromArray(
    Array.from({ length: 300 }, (_, at) => at),
    new apache.Int32(),
  );

  it.each([
    ['8-bit', new apache.Int8(), Int8Array.of(1, -1)],
    ['16-bit', new apache.Int16(), Int16Array.of(1, -1)],
    ['32-bit', new apache.Int32(), Int32Array.of(1, -1)],
    ['64-bit', new apache.Int64(), BigInt64Array.of(1n, -1n)],
  ])('may not be negative (%s)', (_, index, data) => {
    for (const dictionary of [values, numbers] as apache.Vector[]) {
      const type = new apache.Dictionary(dictionary.type, index as apache.Int32, 1);
      const column = (length: number): Uint8Array =>
        bytesOf({ value: apache.makeData({ type, data: data.slice(0, length) as Int32Array, length, dictionary }) });
      expect(decode(column(1))).toEqual([{ value: dictionary.get(1) as unknown }]);
      expect(() => decode(column(2))).toThrow(
        expect.objectContaining({ code: 'malformed', message: expect.stringContaining('and not number -1') as string }),
      );
      expect(() => convert(column(2))).toThrow(expect.objectContaining({ code: 'malformed' }));
    }
  });

  it.each([
    ['8-bit', new apache.Uint8(), Uint8Array.of(200)],
    ['16-bit', new apache.Uint16(), Uint16Array.of(200)],
    ['32-bit', new apache.Uint32(), Uint32Array.of(200)],
  ])('may have the highest bit set if they are unsigned (%s)', (_, index, data) => {
    const type = new apache.Dictionary(new apache.Utf8(), index as unknown as apache.Int32, 1);
    expect(decode(bytesOf({ value: apache.makeData({ type, data: data as never, length: 1, dictionary: values }) }))).toEqual([{ value: 'v200' }]);
  });

  it('may be any number in rows that are null', () => {
    const type = new apache.Dictionary(new apache.Utf8(), new apache.Int8(), 1);
    const data = { type, data: Int8Array.of(-1, 2), length: 2, nullCount: 1, nullBitmap: Uint8Array.of(2), dictionary: values };
    const bytes = bytesOf({ value: apache.makeData(data) });
    expect(decode(bytes)).toEqual([{ value: null }, { value: 'v2' }]);
    expect(convert(bytes)).toMatchObject([{ data: Uint8Array.of(0, 2) }]);
  });
});
