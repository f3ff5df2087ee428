import { expect, test } from 'vitest';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { valueText } from '../../../../devtools-extension/values/value-text.ts';
import { openBody } from '../open.ts';
import { namesOf } from '../read.ts';
import { checkTree } from './tree-rules.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

test('an unknown tag is one entry with its content, and every entry has bytes', async () => {
  const body = await openBody('cbor', bytesOf('82d9303904d2834101404103'));
  checkTree(body.tree!.data);
  expect(namesOf(body)).toEqual([
    ': array 2',
    '0: tag 12345: unsigned',
    '0.0: unsigned',
    '1: tag 18: array 3',
    '1.0: array 3',
    '1.0.0: byte string 1',
    '1.0.1: byte string 0',
    '1.0.2: byte string 1',
  ]);
  expect(valueText(body.tree!, 2).text).toBe('tag 12345');
  for (let node = 1; node < body.tree!.count; node += 1) expect(body.tree!.data.ends[node]!).toBeGreaterThan(body.tree!.data.values[node]!);
});

test('nested tags are both exported', async () => {
  const { tree } = await openBody('cbor', bytesOf('d87bd9303961 61'.replaceAll(' ', '')));
  expect(exportValue(tree!, 1)).toEqual({ $tag: 'tag 123', value: { $tag: 'tag 12345', value: 'a' } });
});
