import { expect, test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';

/** List form of a schema with the message `M`. */
async function listForm(fields: string, others = ''): Promise<unknown> {
  const proto = `syntax = "proto3"; message M { ${fields} } message R { int32 id = 1; string name = 2; Kind kind = 3; } enum Kind { A = 0; } ${others}`;
  return protobuf.listForm!(await protobuf.compileSchema!({ proto, message: 'M' }));
}

test('reports flat records for a schema with one list, whose fields are all scalars', async () => {
  const flat = { list: true, records: true, flat: true, regular: true };
  expect(await listForm('repeated R rows = 1; string title = 2; repeated int32 ids = 3; map<string, R> by_name = 4;')).toEqual(flat);
});

test.each([
  ['a message', 'R inner = 1;'],
  ['a list', 'repeated int32 ids = 1;'],
  ['a map', 'map<string, int32> counts = 1;'],
  ['bytes', 'bytes data = 1;'],
])('reports records that are not flat if they contain %s', async (_, field) => {
  expect(await listForm('repeated N rows = 1;', `message N { ${field} }`)).toMatchObject({ list: true, flat: false });
});

test('reports no list form for a schema without a list of messages, or with several', async () => {
  expect(await listForm('string title = 1; repeated int32 ids = 2; map<string, R> by_name = 3;')).toBeUndefined();
  expect(await listForm('repeated R rows = 1; repeated R more = 2;')).toBeUndefined();
  expect(protobuf.listForm!(undefined)).toBeUndefined();
});
