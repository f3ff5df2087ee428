import { describe, expect, test, vi } from 'vitest';
import { NOT_PLAIN } from '../../../../../core/slicing/json/values.ts';
import { inSlices, textAtOnce, textInSlices } from './run-slices.ts';

const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `n ${id} },{"id":`, tags: ['a', { id: 3 }, { id: 4 }], at: [1.5, -2, id] }));

/** Documents of every shape. */
const documents: Record<string, unknown> = {
  'a list at the root': rows,
  'lists in objects': { a: 1, rows, b: { c: rows, d: 1 }, e: [] },
  'an object with many keys': Object.fromEntries(rows.map((row) => [`key ${row.id}`, row])),
  'an object with keys like indices': Object.fromEntries(rows.map((row) => [String(1000 - row.id), row.id])),
  'a list of numbers': rows.map(({ id }) => id / 3),
  'long lists of numbers': { a: Array.from({ length: 3_000 }, (_, at) => at / 3), b: Array.from({ length: 3_000 }, (_, at) => [at]), c: 'x' },
  'numbers with exponents and nulls among others': Array.from({ length: 2_000 }, (_, at) => (at % 90 === 0 ? null : at / 10 ** (at % 13))),
  'a list of strings': rows.map(({ name }) => `${name}","],[`),
  'a list of lists': rows.map(({ at }) => at),
  'lists in lists': [rows.map(({ at }) => [at, at]), [rows.map(({ id }) => [id])]],
  'empty containers': Array.from({ length: 400 }, (_, at) => (at % 2 ? [] : {})),
  'records with lists of any length': Array.from({ length: 60 }, (_, id) => ({
    id,
    line: Array.from({ length: (id * 37) % 150 }, (_, at) => [at / 3, id]),
    name: `${id}`,
  })),
  'objects with lists of records': Object.fromEntries(
    Array.from({ length: 40 }, (_, id) => [`k${id}`, { 7: id, rows: rows.slice(0, (id * 7) % 19), 3: [[id], []] }]),
  ),
  'one huge item': [{ text: 'x'.repeat(5_000), rows }],
};

describe('JsonSlices', () => {
  test.each(Object.keys(documents))('matches JSON.parse for %s', async (name) => {
    for (const indent of [0, 2]) {
      const text = JSON.stringify(documents[name], null, indent);
      const expected = textAtOnce(text);
      for (const [index, chunk] of [Infinity, 997, 64].entries()) {
        const piece = (index + indent / 2) % 2 === 0 ? 300 : 3_000;
        expect(await textInSlices(text, { chunk, piece })).toBe(expected);
      }
    }
  });

  test('wastes few pieces if inner items begin with the same key as outer ones', async () => {
    const friends = [2, 3, 4].map((id) => ({ id, name: 'a friend', phone: '+70000000000' }));
    const people = Array.from({ length: 400 }, (_, id) => ({ id, avatar: `images/${id}.png`, age: id, friends, field: 'field value' }));
    const text = JSON.stringify({ total: 400, people, friends });
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(await textInSlices(text, { piece: 2_000 })).toBe(JSON.stringify({ total: 400, people, friends }));
      const failed = parse.mock.results.filter(({ type }) => type === 'throw').length;
      expect(parse.mock.results.length).toBeGreaterThan(text.length / 2_000);
      expect(failed).toBeLessThan(6);
    } finally {
      parse.mockRestore();
    }
  });

  test('keeps duplicate keys and __proto__ as JSON.parse does, across pieces', async () => {
    const long = JSON.stringify('x'.repeat(100));
    const text = `{"a":${long},"__proto__":{"x":${long}},"b":${long},"a":2,"1":${long},"constructor":${long},"__proto__":3,"0":1}`;
    expect(await textInSlices(text, { piece: 40 })).toBe(textAtOnce(text));
    const value = (await inSlices(text, { piece: 40 }).value) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('skips one byte order mark, and rejects a second one or one inside', async () => {
    expect(await textInSlices('\uFEFF[1,2]', { piece: 2 })).toBe('[1,2]');
    expect(await textInSlices('\uFEFF\uFEFF[1,2]', { piece: 2 })).toBe('not plain');
    expect(await textInSlices('[1,\uFEFF2]', { piece: 2 })).toBe('not plain');
  });

  test.each(['', ' ', '[1,2', '[1,,2]', '[1,2],', '{"a":1,}', '[1 2]', '{"a" 1}', '[1]]', '[', '"a', '{"a":', 'tru', '[}', '01'])(
    'rejects %j as JSON.parse does',
    async (text) => {
      for (const piece of [1, 3, 1_000]) expect(await textInSlices(text, { piece })).toBe('not plain');
    },
  );

  test('rejects a trailing comma in a list or object at the start of a piece', async () => {
    const points = (count: number): string => `[${Array.from({ length: count }, (_, at) => `[${at},${at / 4}]`).join(',')}]`;
    const lines = (...counts: number[]): string => `[${counts.map((count) => `{"line":${points(count)}}`).join(',')}]`;
    const text = `{"a":[{"b":${lines(40, 3)}},{"b":${lines(30)}},{"b":${lines(2)}},{"b":${lines(3)}},{"b":${lines(3, 30)}}]}`;
    for (const piece of [20, 150]) {
      expect(await textInSlices(text, { piece })).toBe(textAtOnce(text));
      for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) {
        expect(await textInSlices(`${text.slice(0, at)},${text.slice(at)}`, { piece })).toBe('not plain');
      }
    }
  });

  test('rejects invalid UTF-8 in any piece', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(rows));
    for (const place of [100, 5_000, bytes.length - 300]) {
      const broken = bytes.slice();
      broken[broken.indexOf(0x6e, place)] = 0xff;
      expect(await inSlices(broken, { piece: 500 }).value).toBe(NOT_PLAIN);
    }
  });

  test('leaves to the reader exactly the texts that may exceed a limit', async () => {
    const deep = (depth: number): string => `[${'[1],'.repeat(50)}${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}]`;
    for (const piece of [30, 500, 1e6]) {
      expect(await textInSlices(deep(20), { piece, limits: { depth: 20 } })).toBe(textAtOnce(deep(20)));
      expect(await textInSlices(deep(21), { piece, limits: { depth: 20 } })).toBe('not plain');
      const strings = (length: number): string => JSON.stringify([...Array.from({ length: 40 }, () => 'ab'), { ['k'.repeat(length)]: 1 }, 'x']);
      if (piece < 1e6) expect(await textInSlices(strings(50), { piece, limits: { stringLength: 50 } })).toBe(textAtOnce(strings(50)));
      expect(await textInSlices(strings(51), { piece, limits: { stringLength: 50 } })).toBe('not plain');
    }
    expect(await textInSlices('[1,2,3]', { piece: 2, limits: { values: 4 } })).toBe('[1,2,3]');
    expect(await textInSlices('[1,2,3]', { piece: 2, limits: { values: 3 } })).toBe('not plain');
  });

  test('ends with the reason of a signal between two slices', async () => {
    const { JsonSlices } = await import('../../../../../core/slicing/json/json-slices.ts');
    const { Slicer } = await import('../../../../../core/slicing/slicer.ts');
    const { resolveLimits } = await import('../../../../../core/limits.ts');
    const reason = new Error('enough');
    const slices = new JsonSlices(resolveLimits(), new Slicer(AbortSignal.abort(reason), { limit: 0 }));
    await expect(slices.push(new TextEncoder().encode(JSON.stringify(documents)))).rejects.toBe(reason);
  });
});

describe('JsonSlices of one list', () => {
  const give = async (
    text: string,
    path: string[],
    piece: number,
    sequence = false,
  ): Promise<{ value: unknown; taken: unknown[]; found: boolean; rows: number }> => {
    const taken: unknown[] = [];
    let busy = false;
    const take = async (items: unknown[]): Promise<void> => {
      expect(busy).toBe(false);
      busy = true;
      await Promise.resolve();
      taken.push(...items);
      busy = false;
    };
    const { slices, value } = inSlices(text, { piece, sequence, items: { path, take } });
    const result = await value;
    return { value: result, taken, found: slices.found, rows: slices.rows };
  };

  test.each([50, 1_000, 1e6])('emits items in order and leaves an empty list, in pieces of %d bytes', async (piece) => {
    const text = JSON.stringify({ a: 1, b: { rows, c: [1] }, rows: [2] });
    expect(await give(text, ['b', 'rows'], piece)).toEqual({
      value: { a: 1, b: { rows: [], c: [1] }, rows: [2] },
      taken: rows,
      found: true,
      rows: rows.length,
    });
    expect(await give(JSON.stringify(rows), [], piece)).toEqual({ value: [], taken: rows, found: true, rows: rows.length });
    expect(await give(rows.map((row) => JSON.stringify(row)).join('\n'), [], piece, true)).toEqual({
      value: [],
      taken: rows,
      found: true,
      rows: rows.length,
    });
  });

  test('emits numbers and lists of numbers', async () => {
    const points = Array.from({ length: 1_500 }, (_, at) => [at / 7, -1 - at, [[at]]]);
    const numbers = points.map(([x]) => x);
    for (const piece of [40, 1_000, 30_000]) {
      for (const list of [points, numbers, [numbers, points, numbers]]) {
        expect(await give(JSON.stringify({ a: { list } }), ['a', 'list'], piece)).toEqual({
          value: { a: { list: [] } },
          taken: list,
          found: true,
          rows: list.length,
        });
      }
    }
  });

  test('finds no items if the path does not lead to a list', async () => {
    expect(await give('{"a":{"b":1}}', ['a', 'b'], 4)).toEqual({ value: { a: { b: 1 } }, taken: [], found: false, rows: 0 });
    expect(await give('{"a":1}', [], 4)).toMatchObject({ found: false });
  });
});
