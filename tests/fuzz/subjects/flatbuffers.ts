import type { FlatBuffersOptions } from '../../../core/formats/flatbuffers/index.ts';
import { encode } from '../../unit/core/formats/flatbuffers/encode.ts';
import { Dice, randomSchema, randomValue } from '../../unit/core/formats/flatbuffers/random.ts';

/** The schema of the inputs: a random one with fields of many kinds. */
export const schema = Array.from({ length: 60 }, (_, seed) => randomSchema(new Dice(seed))).toSorted(
  (a, b) => b.objects[b.root]!.fields.length - a.objects[a.root]!.fields.length,
)[0]!;

/** The schema for writing values, which omits explicit defaults of deprecated fields. */
export const writeSchema = {
  ...schema,
  objects: schema.objects.map((object) => ({ ...object, fields: object.fields.map((field) => ({ ...field, deprecated: false })) })),
};

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly FlatBuffersOptions[] = [
  {},
  { enums: 'name', defaults: 'none', identifier: 'ignore' },
  { vectors: 'typed', defaults: 'all', int64: 'bigint', identifier: 'ignore' },
  { nested: 'bytes', vectors: 'bytes', int64: 'string', identifier: 'ignore' },
  { sequence: true, identifier: 'ignore' },
];

/** Valid inputs. */
export function seeds(): Uint8Array[] {
  const dice = new Dice(1);
  const setting = schema.identifier === '' ? {} : { identifier: schema.identifier };
  return Array.from({ length: 40 }, (_, index) => encode(schema, randomValue(dice, schema), { ...setting, sizePrefixed: index % 4 === 3 })).filter(
    ({ length }) => length < 4000,
  );
}
