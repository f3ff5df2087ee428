import { expect, test } from 'vitest';
import { diff } from '../../../../devtools-extension/panel/compare/diff.ts';
import { copyText } from '../../../../devtools-extension/panel/copy/copy.ts';
import { fieldsOf, listsOfRecords, recordTable } from '../../../../core/sinks/spans/records.ts';
import { cellText } from '../../../../devtools-extension/panel/table/table.ts';
import { interpret } from '../../../../devtools-extension/panel/value/interpret/index.ts';
import { search } from '../../../../devtools-extension/reading/search/search.ts';
import { exportBody, pickValue } from '../../../../devtools-extension/reading/session/across-bodies.ts';
import { jsonLines } from '../../../../devtools-extension/values/json-lines.ts';
import { valueText } from '../../../../devtools-extension/values/value-text.ts';
import { exportValue, stringify } from '../../../../devtools-extension/values/value.ts';
import type { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { finish, openBody } from '../open.ts';

/** Numbers that no double holds, in JSON's notation. */
const NUMERALS = ['9007199254740993', '1e400', '-1e400', '0.1000000000000000055', '1.50', '-0', '12345678901234567890.5'];
const TEXT = `{"numbers":[${NUMERALS.join(',')}],"rows":[{"id":9007199254740993},{"id":9007199254740995}]}`;

const open = (text: string): Promise<OpenBody> => openBody('json', new TextEncoder().encode(text));
const answerOf = (body: OpenBody): Parameters<typeof exportBody>[0] => ({
  bytes: body.bytes,
  content: body.content,
  isPart: false,
  detection: body.detection,
  data: body.tree!.data,
  error: body.error,
  milliseconds: 0,
});

test('shows each number of a JSON body with the digits that the body has', async () => {
  const { tree } = await open(TEXT);
  expect(tree!.children(2).map((node) => valueText(tree!, node).text)).toEqual(NUMERALS);
});

test('keeps the digits of numbers in the JSON text, in copies and in exports', async () => {
  const body = await open(TEXT);
  const tree = body.tree!;
  expect(finish(jsonLines(tree, tree.root)).join('').replaceAll(/\s/g, '')).toBe(TEXT);
  expect(stringify(exportValue(tree, tree.root))).toBe(TEXT);
  expect(new TextDecoder().decode(exportBody(answerOf(body)).json)).toBe(TEXT);
  body.select(tree.root);
  const copied = copyText('json', body);
  expect(copied).toContain('9007199254740993');
  expect(copied.replaceAll(/\s/g, '')).toBe(TEXT);
});

test('keeps the digits of numbers in tables, values at a path and interpretations', async () => {
  const body = await open(TEXT);
  const tree = body.tree!;
  const table = recordTable(tree, listsOfRecords(tree)[0]!);
  const ids = Array.from(table.rows, (row) => cellText(tree, fieldsOf(tree, row, table.columns)[0]!).text);
  expect(ids).toEqual(['9007199254740993', '9007199254740995']);
  expect(pickValue(answerOf(body), ['rows', 0, 'id'])?.text).toBe('9007199254740993');
  expect(interpret(tree, tree.children(2)[0]!)).toContainEqual({ name: 'Hexadecimal', value: '0x20000000000001' });
});

test('finds a number by the digits that the body has', async () => {
  const body = await open(TEXT);
  const found = (text: string): number => finish(search(body, { text, where: 'values' })).length;
  expect(found('740993')).toBe(2);
  expect(found('740992')).toBe(0);
  expect(found('1e400')).toBe(2);
  expect(found('Infinity')).toBe(0);
});

test('compares numbers by their value, not by the nearest double or the notation', async () => {
  const differences = async (a: string, b: string): Promise<number> => finish(diff((await open(a)).tree!, (await open(b)).tree!)).length;
  expect(await differences('9007199254740993', '9007199254740992')).toBe(1);
  expect(await differences('1e400', '1e401')).toBe(1);
  expect(await differences('[1.50,1e3,0.0,-12.30e1]', '[1.5,1000,0,-123]')).toBe(0);
  expect(await differences('[{"id":9007199254740993,"a":1}]', '[{"id":9007199254740992,"a":1}]')).toBeGreaterThan(0);
});

test('writes a value as JSON.stringify does where a double holds every number', () => {
  const value = { a: [1, 'x\u2028', null, true, {}, []], b: { c: [] }, __proto__x: 1.5 };
  expect(stringify(value)).toBe(JSON.stringify(value));
  expect(stringify(value, '  ')).toBe(JSON.stringify(value, undefined, 2));
});
