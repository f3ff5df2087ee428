import { expect, test } from 'vitest';
import { rowsOf } from '../../../../main/rows/form.ts';

const rows = rowsOf([{ a: 1 }]);

test('rows cannot be cloned or posted, and the error suggests what to clone instead', () => {
  expect(() => structuredClone(rows)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  expect(() => structuredClone({ rows })).toThrow('clone rows.toArray()');
  const { port1 } = new MessageChannel();
  expect(() => port1.postMessage(rows)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  port1.close();
  expect(structuredClone(rows.toArray())).toEqual([{ a: 1 }]);
});

test('rows are equal to other rows in a test, and serialise as their records', () => {
  expect(rows).toEqual(rowsOf([{ a: 1 }]));
  expect(JSON.stringify({ rows })).toBe('{"rows":[{"a":1}]}');
});
