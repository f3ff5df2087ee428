import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../core/formats/protobuf/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../setup/ways/differential.ts';
import { openFolder } from '../setup/servers/folders.ts';

interface Expected {
  options: ProtobufOptions;
  value: unknown;
}

const fixtures = (await openFolder('fixtures', 'protobuf'))!;
const message = 'fixture.Everything';
const schemas = {
  'the text': await protobuf.compileSchema!({
    proto: await fixtures.text('everything.proto'),
    imports: { 'shared/colour.proto': await fixtures.text('shared/colour.proto') },
    message,
  }),
  'the descriptors': await protobuf.compileSchema!({ descriptorSet: await fixtures.bytes('everything.desc'), message }),
};
const names = fixtures.files.filter((file) => file.endsWith('.bin')).map((file) => file.slice(0, -4));

describe.each(Object.entries(schemas))('a message encoded by protoc, with the schema as %s', (_, schema) => {
  test.each(names)('decodes to the value of its JSON: %s', async (name) => {
    const { options: own, value } = revive(JSON.parse(await fixtures.text(`${name}.json`))) as Expected;
    const options = { names: 'proto', ...own };
    const bytes = await fixtures.bytes(`${name}.bin`);
    assertSame(decodeWith(protobuf, bytes, { schema, options }), value);
    assertSame(sameInEveryCut(protobuf, bytes, { schema, options }), { value });
  });
});

test('both forms of the schema compile to the same result', () => {
  const [text, descriptors] = Object.values(schemas) as [object, object];
  const byName = (schema: object): object[] =>
    Object.values(schema)
      .flatMap((part) => (Array.isArray(part) ? (part as { name: string; fields?: { ref: number }[] }[]) : []))
      .map((part) => ({ ...part, fields: part.fields?.map((field) => ({ ...field, ref: field.ref >= 0 })) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(descriptors)).toEqual(byName(text));
});

/** Substitutes for values that JSON lacks. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  const { $bigint, $number, $bytes } = value as Record<string, string>;
  if ($bigint !== undefined) return BigInt($bigint);
  if ($number !== undefined) return Number($number);
  if ($bytes !== undefined) return Uint8Array.from($bytes.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]));
}
