import { describe, expect, test } from 'vitest';
import { pathText, previewText, shownKey } from '../../../../devtools-extension/values/value-text.ts';
import { search } from '../../../../devtools-extension/reading/search/search.ts';
import { finish, openBody } from '../open.ts';
import { partsOf } from '../read.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

describe('a map whose keys are no text', () => {
  test.each([
    ['cbor', 'a3010220018101a10203'],
    ['messagepack', '830102ff019101810203'],
  ] as const)('has its keys before its values in %s', async (format, hex) => {
    const body = await openBody(format, bytesOf(hex));
    const tree = body.tree!;
    const rows = Array.from(body.view!.rows.value);
    expect(rows.map((node) => shownKey(tree, node))).toEqual([undefined, '1', '-1', 'key', 0, 'value', '2']);
    // MessagePack's reader makes an object of a map whose keys are all numbers.
    expect(previewText(tree, 1)).toBe(`1: 2, -1: 1, key: [1 item], value: ${format === 'cbor' ? 'Map {1 entry}' : '{1 key}'}`);
    expect(pathText(tree, rows[2]!)).toBe('$.get(-1)');
    expect(partsOf(body, rows[1]!)[0]).toMatch(/^key, .* 1\.\.2$/);
    body.selectByte(1);
    expect(body.selected.value).toBe(rows[1]);
    const found = (where: 'keys' | 'values') => finish(search(body, { text: '-1', where }));
    expect([found('keys').length, found('values').length]).toEqual([1, 0]);
  });

  test('names the first entries in the preview of a long one', async () => {
    const body = await openBody('cbor', bytesOf(`b4${Array.from({ length: 20 }, (_, i) => `0${(i % 10).toString(16)}05`).join('')}`));
    expect(previewText(body.tree!, 1)).toBe('0: 5, 1: 5, 2: 5, 3: 5, 4: 5, …');
  });
});
