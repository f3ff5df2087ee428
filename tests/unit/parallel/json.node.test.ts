import { afterAll, describe, expect, test } from 'vitest';
import type { ResultForm } from '../../../main/materialise/form.ts';
import { find } from '../../../worker/formats/json/cut.ts';
import fc from '../../setup/property.ts';
import { everyCut, localDecoder, same } from './pieces.ts';

const decoder = localDecoder();
afterAll(() => decoder.close());

const encoder = new TextEncoder();
const forms: readonly ResultForm[] = ['objects', 'rows', 'columns'];

describe('JSON that several workers decode', () => {
  const documents: [string, unknown][] = [
    ['a list at the root', [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]],
    [
      'a list in an object',
      {
        count: 4,
        trips: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
          { a: 3, b: 'z' },
        ],
        more: { list: [1, 2] },
      },
    ],
    ['lists in lists', [[[1, 2], [3]], [[4, 5, 6]], []]],
    [
      'lists in the records of a list',
      {
        trips: [
          { id: 1, legs: [{ x: 1 }, { x: 2 }] },
          { id: 2, legs: [{ x: 3 }] },
          { id: 3, legs: [{ x: 4 }, { x: 5 }] },
        ],
      },
    ],
    ['several lists', { a: [{ x: 1 }, { x: 2 }], b: [{ y: 'q' }, { y: 'r' }], c: [] }],
    ['strings that look like items', [{ s: '},{"a":1},{"b":2' }, { s: '],[1,2],[' }, { s: '\\"},{' }, { s: '1,2,3' }]],
    ['records of several shapes', [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }, { b: 3, a: 4 }, {}, { a: null }]],
    ['values of all kinds', [1, 'two', { three: 3 }, null, true, [4], -0, 1e300, 'ü€𝄞']],
    ['the same key twice', { a: [{ x: 1 }, { x: 2 }], b: 1, c: [{ z: 1 }] }],
  ];

  test.each(documents)('gives what one does for %s, cut anywhere', async (_, document) => {
    const bytes = encoder.encode(JSON.stringify(document));
    let spliced = 0;
    for (const [turn, as] of forms.entries()) {
      const ways = as === 'objects' ? everyCut(bytes) : everyCut(bytes).filter(([at]) => at! % 3 === turn);
      spliced += await same(decoder, bytes, ways, { format: 'json', as });
    }
    expect(spliced).toBeGreaterThan(0);
  });

  test('gives what one does for any document, cut in several places, whole or broken', async () => {
    const scalar = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('},{"a":', '],[', '\\"', '\n'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('object'), tie('records')),
      list: fc.array(tie('value'), { maxLength: 6 }),
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '', '__proto__'), tie('value'), { maxKeys: 4 }),
      records: fc.array(fc.record({ id: fc.integer(), name: fc.string({ maxLength: 4 }), legs: tie('value') }, { requiredKeys: ['id'] }), {
        maxLength: 12,
      }),
    }));
    const damage = fc.option(
      fc.record({ at: fc.nat(), byte: fc.option(fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '0', 'n', '\\', ' ', '\n', '\u0001')) }),
      { freq: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('document', 'indented', 'lines', 'values'),
        damage,
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...forms),
        async (values, kind, broken, at, as) => {
          let bytes = encoder.encode(written(values, kind));
          if (broken) {
            const place = broken.at % bytes.length;
            if (broken.byte === null) bytes = bytes.subarray(0, Math.max(place, 1));
            else bytes[place] = broken.byte.charCodeAt(0);
          }
          const cuts = [...new Set(at.map((n) => 1 + (n % Math.max(bytes.length - 1, 1))))].filter((cut) => cut < bytes.length).sort((a, b) => a - b);
          if (cuts.length > 0)
            await same(decoder, bytes, [cuts], { format: 'json', as, options: { sequence: kind === 'lines' || kind === 'values' } });
        },
      ),
      { numRuns: 150 },
    );
  });

  test('is one segment from any item of a list, or from behind any line, to the end', async () => {
    const list = Array.from({ length: 40 }, (_, id) => ({
      id,
      name: `station ${id % 7}`,
      at: id / 8,
      ...(id % 3 === 0 && { legs: [{ x: id }, { x: -id }] }),
    }));
    const text = JSON.stringify({ kind: 'trips', trips: list, last: [1, { legs: 2 }] });
    const bytes = encoder.encode(text);
    const items = [...text.matchAll(/\},\{"id"/g)].map(({ index }) => index + 2);
    for (const as of forms)
      expect(
        await same(
          decoder,
          bytes,
          items.map((at) => [at]),
          { format: 'json', as },
        ),
      ).toBe(items.length);
    expect(await same(decoder, bytes, [[items[3]!, items[20]!, items[21]!, items[38]!]], { format: 'json', as: 'rows' })).toBe(4);

    const lines = list.map((item) => JSON.stringify(item)).join('\n');
    const ends = [...lines.matchAll(/\n/g)].map(({ index }) => index + 1);
    for (const as of forms)
      expect(
        await same(
          decoder,
          encoder.encode(lines),
          ends.map((at) => [at]),
          { format: 'json', as, options: { sequence: true } },
        ),
      ).toBe(ends.length);
  });

  test('keeps the limits', async () => {
    const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const text = `{"a":{"b":[${Array.from({ length: 40 }, (_, index) => `{"c":${deep(index)},"s":"${'x'.repeat(index)}"}`).join()}]}}`;
    const bytes = encoder.encode(text);
    const items = [...text.matchAll(/\},\{"c"/g)].map(({ index }) => [index + 2]);
    for (const limits of [{ depth: 20 }, { depth: 43 }, { depth: 44 }, { stringLength: 20 }, { values: 1_000_000 }]) {
      await same(decoder, bytes, items, { format: 'json', limits });
    }
  });
});

describe('a place to cut JSON', () => {
  const options = {};
  const list = (count: number, item: (index: number) => unknown): unknown[] => Array.from({ length: count }, (_, index) => item(index));

  test.each([
    ['records', list(100, (id) => ({ id, name: `a "${id}" b` }))],
    [
      'records with lists in them',
      { trips: list(100, (id) => ({ id, legs: list(9, (x) => ({ x, y: [x] })), more: { deep: [{ z: 1 }, { z: 2 }] } })) },
    ],
    ['records with text that looks like them', list(100, (id) => ({ id, text: '},{"id":1},{"id":2},{' }))],
    ['lists', list(100, (x) => [x, [x, x + 1], 'y'])],
    ['numbers', { values: list(500, (x) => x / 2) }],
  ])('of a list of %s is the beginning of an item of the outermost list', (_, document) => {
    for (const space of [0, 2]) {
      const text = JSON.stringify(document, null, space);
      const bytes = encoder.encode(text);
      const starts = itemStarts(text);
      for (let near = 0; near < bytes.length / 2; near += Math.ceil(bytes.length / 61)) {
        expect(starts).toContain(find(bytes, near, options));
      }
    }
  });

  test('of lines is behind the next line break', () => {
    const bytes = encoder.encode('{"a":1}\n{"a":2}\r\n{"a":3}');
    expect([0, 7, 8, 9].map((near) => find(bytes, near, { sequence: true }))).toEqual([8, 8, 17, 17]);
    expect(find(bytes, 18, { sequence: true })).toBe(-1);
  });

  test('is nowhere in what has no lists', () => {
    for (const text of ['', '"a"', '{"a":{"b":"c"},"d":1}', 'x'.repeat(1000)]) expect(find(encoder.encode(text), 0, options)).toBe(-1);
  });
});

function written(values: unknown[], kind: string): string {
  if (kind === 'document') return JSON.stringify(values.length === 1 ? values[0] : values);
  if (kind === 'indented') return JSON.stringify({ list: values }, null, 1);
  return values.map((value) => JSON.stringify(value)).join(kind === 'lines' ? '\n' : ' ');
}

/** Where the items of the outermost list begin. */
function itemStarts(text: string): Set<number> {
  const starts = new Set<number>();
  let depth = 0;
  const outermost = text.startsWith('[') ? 1 : 2;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s[\]{}",:]+/g)) {
    if (depth === outermost && token !== ']') starts.add(index);
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
  }
  return starts;
}
