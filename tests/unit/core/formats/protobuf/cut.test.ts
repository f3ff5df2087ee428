import { expect, test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import { decodeSync } from '../../../../../main/sync.ts';

const schema = await protobuf.compileSchema!({ proto: 'syntax = "proto3"; message M { repeated string a = 1; }', message: 'M' });

test.each<[string, number[]]>([
  ['after the tag of a text', [10, 1, 97, 10]],
  ['inside the length of a text', [10, 1, 97, 10, 0x80]],
])('rejects a message that ends %s as truncated, at once as in pieces', (_, bytes) => {
  expect(() => decodeSync(protobuf, Uint8Array.from(bytes), { schema })).toThrow(expect.objectContaining({ code: 'truncated' }));
});
