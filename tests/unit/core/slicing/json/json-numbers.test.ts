import { describe, expect, test } from 'vitest';
import { readNumberLists } from '../../../../../core/slicing/json/numbers/number-lists.ts';
import { NUMBERS, readNumbers } from '../../../../../core/slicing/json/numbers/numbers.ts';
import fc from '../../../../setup/properties/property.ts';

const encoder = new TextEncoder();

/** Value of a number's text as the item of a list; undefined if left to the engine. */
function read(text: string): number | undefined {
  const bytes = encoder.encode(`${text},`);
  const count = readNumbers(bytes, new DataView(bytes.buffer), 0, bytes.length - 1);
  return count === 0 ? undefined : NUMBERS[0];
}

/** Reads a list from its first item, with its open lists; returns them and the remaining text. */
function readList(text: string, { to = text.length, levels = 9 } = {}): { lists: unknown[][]; rest: string } | undefined {
  const run = readNumberLists([], encoder.encode(text), 0, to, levels);
  return run && { lists: run.lists, rest: text.slice(run.end) };
}

describe('reader of numbers in a list', () => {
  const digits = fc.stringMatching(/^\d{1,12}$/);
  const texts = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.double({ min: -1000, max: 1000, noNaN: true }).chain((value) => fc.nat(20).map((places) => value.toFixed(places))),
    fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value.toPrecision(17)),
    fc.maxSafeInteger().map(String),
    fc.tuple(fc.constantFrom('', '-'), digits, digits).map(([sign, whole, part]) => `${sign}${whole.replace(/^0+(?=\d)/, '')}.${part}`),
  );

  test("returns the engine's result, or leaves the number to the engine", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = read(text);
        if (value !== undefined) expect(value).toBe(JSON.parse(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('reads numbers with at most 18 digits and no exponent', () => {
    const most = fc.tuple(fc.nat(999_999_999), fc.nat(999_999_999), fc.nat(9)).map(([whole, part, zeros]) => {
      const decimals = `${'0'.repeat(zeros)}${part}1`.slice(0, 17);
      return `${String(whole).slice(0, 18 - decimals.length) || '0'}.${decimals}`;
    });
    fc.assert(
      fc.property(most, (text) => {
        expect(read(text)).toBe(Number(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(['0', '-0', '0.0', '-0.0', '7', '-12', '9007199254740991', '-65.613616999999977', '0.1', '123456789012345.678'])(
    'reads %s exactly',
    (text) => {
      expect(read(text)).toBe(Number(text));
    },
  );

  test('leaves a number close to the middle between two doubles to the engine', () => {
    // 2 ** 53 + 1 is the middle.
    expect(read('9007199254740993.0')).toBeUndefined();
  });

  test.each(['', '-', '01', '1.', '.5', '+1', '1e5', '1E-5', '- 1', '1 2', '0x1', 'NaN', 'null', '"1"', '1.5.5', '12345678901234567890'])(
    'leaves a number in another notation to the engine: %s',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});

describe('reader of lists of numbers', () => {
  test('reads nested lists, up to the first item that is not a number', () => {
    expect(readList('1,[2.5,-3],[],[[4],[ 5 , 6 ]] ,7,"a"]')).toEqual({ lists: [[1, [2.5, -3], [], [[4], [5, 6]], 7]], rest: ',"a"]' });
    expect(readList('[1,{}],2]')).toBeUndefined();
    expect(readList('3,[1,null],2]')).toEqual({ lists: [[3]], rest: ',[1,null],2]' });
    expect(readList('"a",1]')).toBeUndefined();
  });

  test('leaves lists open if the bytes end inside them', () => {
    const long = Array.from({ length: 700 }, (_, at) => at / 3);
    const text = `[${long.join(',')},1e5],9]`;
    expect(readList(text)).toEqual({ lists: [[], long], rest: ',1e5],9]' });
    expect(readList('[[1,2],[3,4],[5,6')).toEqual({
      lists: [
        [],
        [
          [1, 2],
          [3, 4],
        ],
      ],
      rest: ',[5,6',
    });
    expect(readList('1,2,34,5', { to: 6 })).toEqual({ lists: [[1, 2]], rest: ',34,5' });
  });

  test.each([
    ['integers', (at: number) => at - 5_000],
    ['fractions', (at: number) => at / 8],
    ['integers with a fraction among the last', (at: number) => (at === 19_990 ? 0.5 : at)],
  ])('reads 20,000 %s whole or cut anywhere', (_, valueAt) => {
    const values = Array.from({ length: 20_000 }, (__, at) => valueAt(at));
    const text = values.join(',');
    expect(readList(`${text},"x"]`)).toEqual({ lists: [values], rest: ',"x"]' });
    expect(readList(`[${text}],[1]]`)).toEqual({ lists: [[values, [1]]], rest: ']' });
    for (const to of [5_000, 70_000, text.length - 9]) {
      const { lists, rest } = readList(`[${text}]]`, { to })!;
      expect([...lists[1]!, ...(JSON.parse(`[${rest.slice(1, -2)}]`) as number[])]).toEqual(values);
    }
    const begun = encoder.encode(`${text}]`);
    expect(readNumberLists([1, 2], begun, 0, begun.length, 9)?.lists).toEqual([[1, 2, ...values]]);
  });

  test('stops at the maximum depth', () => {
    expect(readList('[1],[[2]]]', { levels: 0 })).toBeUndefined();
    expect(readList('[1],[[2]]]', { levels: 1 })).toEqual({ lists: [[[1]]], rest: ',[[2]]]' });
    expect(readList('1,[[2],[[3]]],4]', { levels: 2 })).toEqual({ lists: [[1], [[2]]], rest: ',[[3]]],4]' });
  });

  test('distinguishes small integers, negative zeros and fractions', () => {
    expect(readList('0,-0,1]')!.lists[0]!.map((value) => Object.is(value, -0))).toEqual([false, true, false]);
    expect(readList('[-0]]')!.lists[0]![0]).toEqual([-0]);
    expect(readList('2147483647,2147483648,-2147483649]')!.lists[0]).toEqual([2147483647, 2147483648, -2147483649]);
  });
});
