import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { diff } from '../../../devtools-extension/panel/compare/diff.ts';
import { scrolledHeight, scrollToShow, scrollWindow } from '../../../devtools-extension/panel/shared/scroll-window.ts';
import { search, type SearchIn } from '../../../devtools-extension/reading/search/search.ts';
import { measure } from '../../../devtools-extension/panel/size/size.ts';
import { fieldsOf, listsOfRecords, recordTable } from '../../../core/sinks/spans/records.ts';
import { cellText, columnWidths } from '../../../devtools-extension/panel/table/table.ts';
import { pathText } from '../../../devtools-extension/values/value-text.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import fc from '../../setup/properties/property.ts';
import { finish, openBody } from './open.ts';

const packr = new Packr({ useRecords: false });
const records = new Packr({ useRecords: true });
const cbor = new Encoder({ useRecords: false });
const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value));
const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const VALUE = {
  trips: [
    { id: 1, name: 'Überweg', fee: null },
    { id: 2, name: 'Bad "Oak"', fee: 2.5 },
  ],
  ok: true,
  raw: 'x',
};

describe('measure', () => {
  const encodings: [FormatId, (value: unknown) => Uint8Array][] = [
    ['json', json],
    ['messagepack', pack],
    ['messagepack', (value) => Uint8Array.from(records.pack(value))],
    ['cbor', (value) => Uint8Array.from(cbor.encode(value))],
  ];

  test.each(encodings)('adds up to the body in each grouping, for %s', (format, encode) =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const body = await openBody(format, encode(value));
        const report = finish(measure(body));
        for (const rows of [report.byPath, report.byKey, report.byType]) {
          expect(rows.reduce((sum, { total }) => sum + total, 0)).toBe(body.bytes.length);
          for (const { keys, headers, payload, between, total } of rows) {
            expect(keys + headers + payload + between).toBe(total);
            expect(Math.min(keys, headers, payload, between)).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: 150 },
    ),
  );

  test('includes bytes outside the value', async () => {
    const body = await openBody('json', new TextEncoder().encode('  [1, 2]\n'));
    expect(finish(measure(body)).byPath.at(-1)).toMatchObject({ name: 'outside the value', total: 3 });
  });
});

describe('search', () => {
  const find = async (
    text: string,
    where: SearchIn = 'all',
    encode = pack,
    format: FormatId = 'messagepack',
    isPattern = false,
  ): Promise<string[]> => {
    const body = await openBody(format, encode(VALUE));
    return finish(search(body, { text, where, isPattern })).map((node) => pathText(body.tree!, node));
  };

  test.each<[string, SearchIn, string[]]>([
    ['NAME', 'all', ['$.trips[0].name', '$.trips[1].name']],
    ['oak', 'values', ['$.trips[1].name']],
    ['name', 'values', []],
    ['überweg', 'values', ['$.trips[0].name']],
    ['2.5', 'all', ['$.trips[1].fee']],
    ['true', 'all', ['$.ok']],
    ['float', 'types', ['$.trips[1].fee']],
    ['c0', 'hex', ['$.trips[0].fee']],
    ['a1 78', 'hex', ['$.raw']],
    ['nothing at all', 'all', []],
  ])('finds %j in %s', async (text, where, paths) => {
    expect(await find(text, where)).toEqual(paths);
  });

  test.each<[string, SearchIn, string[]]>([
    ['^NA.E$', 'all', ['$.trips[0].name', '$.trips[1].name']],
    ['o[a-c]k', 'values', ['$.trips[1].name']],
    ['^\\d\\.5$', 'all', ['$.trips[1].fee']],
    ['^tr', 'values', ['$.ok']],
    ['^flo.t', 'types', ['$.trips[1].fee']],
    ['\\p{Lu}berweg', 'values', ['$.trips[0].name']],
    ['\\-|zzz', 'values', []],
  ])('finds the regular expression %j in %s', async (text, where, paths) => {
    expect(await find(text, where, pack, 'messagepack', true)).toEqual(paths);
  });

  test('reports an invalid regular expression', async () => {
    await expect(find('(', 'all', pack, 'messagepack', true)).rejects.toThrow(/Invalid regular expression/);
  });

  test('finds text with escapes in JSON', async () => {
    expect(await find('"oak"', 'values', json, 'json')).toEqual(['$.trips[1].name']);
  });
});

describe('compare', () => {
  test('finds differences by key and by index, even across formats', async () => {
    const before = await openBody('messagepack', pack({ a: 1, b: [1, 2], c: { d: 'x' }, gone: 1 }));
    const after = await openBody('json', json({ a: 1, b: [1, 3, 4], c: { d: 'y' }, come: null }));
    const found = finish(diff(before.tree!, after.tree!));
    expect(found.map(({ change, path }) => `${change} ${path.join('.')}`).sort()).toEqual([
      'added b.2',
      'added come',
      'changed b.1',
      'changed c.d',
      'removed gone',
    ]);
  });

  const changes = async (before: unknown, after: unknown): Promise<string[]> => {
    const found = finish(diff((await openBody('json', json(before))).tree!, (await openBody('json', json(after))).tree!));
    return found.map(({ change, path }) => `${change} ${path.join('.')}`).sort();
  };

  test('matches records by their identifying key, in any order', async () => {
    const list = [
      { id: 1, n: 'a' },
      { id: 2, n: 'b' },
      { id: 3, n: 'c' },
    ];
    expect(await changes(list, [{ id: 9, n: 'z' }, ...list])).toEqual(['added 0']);
    expect(await changes(list, [list[0], { id: 3, n: 'x' }])).toEqual(['changed 1.n', 'removed 1']);
    expect(await changes(list, [list[2], list[0], list[1]])).toEqual(['moved 0']);
  });

  test('finds the fewest changes between other items', async () => {
    expect(await changes(['a', 'b', 'c', 'd'], ['x', 'a', 'b', 'd'])).toEqual(['added 0', 'removed 2']);
    expect(await changes([[1], [2], [3]], [[1], [9], [3]])).toEqual(['changed 1.0']);
    expect(await changes([1, 2, 3], [1, 2, 3, 4, 5])).toEqual(['added 3', 'added 4']);
  });

  test('finds changes that turn one list into the other, for any lists', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), fc.array(fc.constantFrom('a', 'b', 'c', 'd')), async (before, after) => {
        const found = finish(diff((await openBody('json', json(before))).tree!, (await openBody('json', json(after))).tree!));
        const removed = new Set(found.filter(({ change }) => change === 'removed').map(({ path }) => path[0]));
        const kept = before.filter((_, at) => !removed.has(at));
        for (const { change, path } of found) {
          const at = path[0] as number;
          if (change === 'added') kept.splice(at, 0, after[at]!);
          else if (change === 'changed') kept[at] = after[at]!;
        }
        expect(kept).toEqual(after);
      }),
      { numRuns: 300 },
    ));

  test('finds nothing between equal values', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const one = await openBody('cbor', Uint8Array.from(cbor.encode(value)));
        const other = await openBody('messagepack', pack(value));
        expect(finish(diff(one.tree!, other.tree!))).toEqual([]);
      }),
      { numRuns: 100 },
    ));
});

test('a table has the columns of all rows, and gaps if a row lacks one', async () => {
  const body = await openBody('messagepack', pack({ n: 1, list: [{ a: 1 }, { b: 'x', a: 2 }, { b: 'y' }] }));
  const tree = body.tree!;
  const lists = listsOfRecords(tree);
  expect(lists.map((node) => pathText(tree, node))).toEqual(['$.list']);
  const { rows, columns } = recordTable(tree, lists[0]!);
  expect(columns.map((column) => tree.data.names[column])).toEqual(['a', 'b']);
  expect(Array.from(rows, (row) => fieldsOf(tree, row, columns).map((field) => (field < 0 ? '' : cellText(tree, field).text)))).toEqual([
    ['1', ''],
    ['2', 'x'],
    ['', 'y'],
  ]);
});

test('a column of a table is as wide as its name and first values, within bounds', async () => {
  const body = await openBody(
    'messagepack',
    pack([
      { a: 1, station: 'x', note: 'W 20 St' },
      { a: 2, station: 'y', note: 'z'.repeat(200) },
    ]),
  );
  const tree = body.tree!;
  expect(columnWidths(tree, recordTable(tree, listsOfRecords(tree)[0]!))).toEqual([5, 'station'.length, 32]);
});

describe('encoding name', () => {
  const names = async (format: FormatId, bytes: Uint8Array): Promise<string[]> => {
    const body = await openBody(format, bytes);
    return Array.from({ length: body.tree!.count - 1 }, (_, i) => body.describe(i + 1).name);
  };

  test('follows the MessagePack specification', async () => {
    expect(await names('messagepack', pack(['hello', 1, -1, 300, 1.5, null, true, 'x'.repeat(40), [], {}]))).toEqual([
      'fixarray 10',
      'fixstr 5',
      'positive fixint',
      'negative fixint',
      'uint 16',
      'float 64',
      'nil',
      'true',
      'str 8: 40',
      'fixarray 0',
      'map 16: 0',
    ]);
  });

  test('follows RFC 8949', async () => {
    expect(await names('cbor', Uint8Array.of(0x84, 0x61, 0x61, 0x18, 0x64, 0xf6, 0xd8, 0x20, 0x61, 0x62))).toEqual([
      'array 4',
      'text string 1',
      'unsigned uint8',
      'null',
      'tag 32 URI: text string 1',
      'string',
    ]);
  });

  test('follows Protocol Buffers: field and wire type', async () => {
    expect(await names('protobuf', Uint8Array.of(0x08, 1, 0x1a, 2, 0x61, 0x62))).toEqual(['message', 'field 1, varint', 'field 3, len']);
  });
});

describe('scroll window', () => {
  test('shows every row of a list taller than an element can be', () => {
    const measures = { count: 5_000_000, rowHeight: 20, viewport: 400 };
    const height = scrolledHeight(measures);
    expect(height).toBeLessThan(15_000_000);
    expect(scrollWindow(measures, 0).first).toBe(0);
    expect(scrollWindow(measures, height - 400).last).toBe(5_000_000);
    for (const row of [0, 17, 2_500_000, 4_999_999]) {
      const { first, last } = scrollWindow(measures, Math.round(scrollToShow(measures, 0, row)));
      expect(first).toBeLessThanOrEqual(row);
      expect(last).toBeGreaterThan(row);
    }
  });
});
