import protobufjs from 'protobufjs';
import { expect, test } from 'vitest';
import type { ProtobufSchema } from '../../../../core/formats/protobuf/schema/schema.ts';
import { SpanTree } from '../../../../core/sinks/spans/tree.ts';
import { schemaInUse } from '../../../../devtools-extension/describe/with-schema/protobuf.ts';
import { compileSchema } from '../../../../devtools-extension/reading/schemas/compile-schema.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import { bodyOf } from '../read.ts';

const COUNT = 300;
const proto = Array.from(
  { length: COUNT },
  (
    _,
    i,
  ) => `message M${i} { int32 id = 1; M${(i * 7 + 1) % COUNT} next = 2; map<string, M${(i + 1) % COUNT}> by_name = 3; E${i} kind = 4; repeated M${i} more = 5; }
    enum E${i} { A${i} = 0; B${i} = 1; }`,
).join('\n');

test('the panel gets the types of a schema that a body has, and of the others the names', async () => {
  const type = protobufjs.parse(`syntax = "proto3"; package big;\n${proto}`).root.lookupType('big.M5');
  const value = { id: 1, next: { id: 2, kind: 1 }, byName: { oak: { id: 3 } }, kind: 1, more: [{ id: 4 }, { id: 5, next: {} }] };
  const bytes = type.encode(type.fromObject(value)).finish();
  const schema = await compileSchema({
    name: 'x',
    format: 'protobuf',
    input: { proto: `syntax = "proto3"; package big;\n${proto}`, message: 'big.M5' },
  });
  const reading = await readSpans(bytes, { format: 'protobuf', schema });
  const used = schemaInUse(new SpanTree(reading.data, bytes));
  const texts = (data: typeof reading.data): string[] => {
    const body = bodyOf(bytes, { format: 'protobuf' }, { ...reading, data });
    return Array.from({ length: data.count - 1 }, (_, i) => `${body.typeText(i + 1)} · ${body.note(i + 1)}`);
  };
  expect(texts({ ...reading.data, schema: used })).toEqual(texts(reading.data));
  expect(texts(reading.data).join('\n')).toContain('map<string, big.M6> by_name = 3');
  expect(used.messages).toHaveLength((schema as ProtobufSchema).messages.length);
  expect(used.messages.filter(({ fields }) => fields.length > 0).length).toBeLessThan(8);
  expect(used.enums.filter(({ names }) => names.length > 0).length).toBeLessThan(5);
});
