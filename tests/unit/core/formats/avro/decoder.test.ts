import { deflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { createDecoder } from '../../../../../main/index.ts';
import { Bytes, container } from './bytes.ts';

const rows = Array.from({ length: 2000 }, (_, i) => ({ a: i, s: `row ${i}` }));
const schema = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'a', type: 'int' },
    { name: 's', type: 'string' },
  ],
} as const;
const data = new Bytes();
for (const { a, s } of rows) data.long(a).string(s);

test('detects an Avro container and loads its codec', async () => {
  const decoder = createDecoder();
  const bytes = container(schema, 'deflate', [{ count: rows.length, data: deflateSync(data.done()) }]);
  expect(await decoder.decode(bytes, { route: 'page' })).toEqual(rows);
  expect(await decoder.decode(bytes, { route: 'page' })).toEqual(rows);
  const result = (await decoder.decode(bytes, { route: 'page', as: 'rows' })) as { toArray(): unknown[] };
  expect(result.toArray()).toEqual(rows);
  decoder.close();
});

test('takes an Avro schema by name', async () => {
  const decoder = createDecoder({ schemas: { row: { format: 'avro', schema } } });
  const bytes = new Bytes().long(5).string('x').done();
  expect(await decoder.decode(bytes, { schema: 'row', route: 'page' })).toEqual({ a: 5, s: 'x' });
  await expect(decoder.decode(bytes, { format: 'avro', route: 'page' })).rejects.toThrow('a schema is required: only Avro containers include one');
  decoder.close();
});
