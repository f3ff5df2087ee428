import { expect, test } from 'vitest';
import { sampleJson } from '../../../../../core/slicing/json/sample.ts';

const sample = (value: unknown): unknown => sampleJson(new TextEncoder().encode(JSON.stringify(value)));
const flat = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `name ${id}`, ...(id % 5 && { note: null }) }));

test('the JSON sample recognises flat records with similar keys, wherever their list is', () => {
  const expected = { list: true, records: true, flat: true, regular: true };
  expect(sample(flat)).toMatchObject(expected);
  expect(sample({ count: 1, of: { tags: [1, 2], rows: flat } })).toMatchObject(expected);
  expect(sample(flat.slice(0, 3))).toMatchObject(expected);
});

test('the JSON sample recognises nested records, and records with different keys', () => {
  expect(sample(flat.map((record) => ({ ...record, at: [1] })))).toMatchObject({ flat: false, regular: true });
  expect(sample(flat.map(({ id }) => ({ [`key ${id % 7}`]: id })))).toMatchObject({ flat: true, regular: false });
  expect(sample(flat.map(({ id }) => id))).toMatchObject({ list: true, records: false, flat: false, regular: false });
});

test('the JSON sample is undefined without a list of complete records, and for invalid JSON', () => {
  expect(sample({ a: 1 })).toBeUndefined();
  expect(sample(['x'.repeat(100_000), 1])).toBeUndefined();
  expect(sampleJson(new TextEncoder().encode('[{"a":1 x}, 1'))).toBeUndefined();
  expect(sampleJson(new Uint8Array(0))).toBeUndefined();
});
