import { protoText, type WrittenField, type WrittenMessage } from '../../core/formats/protobuf/schema/proto-writer.ts';
import { BOOL, DOUBLE, INT32, INT64, MESSAGE, STRING } from '../../core/formats/protobuf/schema/schema.ts';
import { type Place, refuse, type RecordShape, type Shape } from './shape.ts';

const TARGET = 'Protocol Buffers';

const SCALARS: Partial<Record<Shape['kind'], number>> = {
  boolean: BOOL,
  int32: INT32,
  integer: INT64,
  number: DOUBLE,
  string: STRING,
  enum: STRING,
};

/** The last number before those that Protocol Buffers reserve, and their count. */
const BEFORE_RESERVED = 18_999;
const RESERVED = 1000;

/** The text of a `.proto` for a shape, and the name of its message. */
export function protoOf({ shape, isNullable, pointer }: Place): { proto: string; message: string } {
  if (shape.kind !== 'record' || isNullable) refuse(pointer, TARGET, 'a root that is not an object with known keys');
  const messages: WrittenMessage[] = [];
  const indexes = new Map<RecordShape, number>();

  const indexOf = (record: RecordShape): number => {
    const known = indexes.get(record);
    if (known !== undefined) return known;
    const fields: WrittenField[] = [];
    const index = messages.push({ name: record.name, mapEntry: false, fields }) - 1;
    indexes.set(record, index);
    for (const [key, place] of record.fields) fields.push(fieldOf(key, fields.length + 1, place));
    return index;
  };
  const typeOf = (place: Place): { type: number; ref: number } => {
    const type = SCALARS[place.shape.kind];
    if (type !== undefined) return { type, ref: -1 };
    if (place.shape.kind === 'record') return { type: MESSAGE, ref: indexOf(place.shape.record) };
    return refuse(place.pointer, TARGET, place.shape.kind === 'null' ? 'null' : 'a list or map directly in a list or map');
  };
  const itemOf = (place: Place): { type: number; ref: number } =>
    place.isNullable ? refuse(place.pointer, TARGET, 'null in a list or map') : typeOf(place);
  const fieldOf = (name: string, order: number, place: Place & { isRequired: boolean }): WrittenField => {
    const { shape: own, isRequired } = place;
    const number = order > BEFORE_RESERVED ? order + RESERVED : order;
    if (!isRequired && place.isNullable) refuse(place.pointer, TARGET, 'a key that may be absent as well as null');
    const isOptional = !isRequired || place.isNullable;
    if (own.kind !== 'array' && own.kind !== 'map') {
      const type = typeOf(place);
      return { name, number, repeated: false, presence: isOptional && type.type !== MESSAGE ? 'optional' : 'implicit', ...type };
    }
    if (isOptional) refuse(place.pointer, TARGET, `a ${own.kind === 'map' ? 'map' : 'list'} that may be absent or null as well as empty`);
    if (own.kind === 'array') return { name, number, repeated: true, presence: 'implicit', ...itemOf(own.items) };
    const value = itemOf(own.values);
    const fields = [
      { name: 'key', number: 1, type: STRING, ref: -1, repeated: false, presence: 'implicit' },
      { name: 'value', number: 2, repeated: false, presence: 'implicit', ...value },
    ] as const;
    return { name, number, repeated: true, presence: 'implicit', type: MESSAGE, ref: messages.push({ name: '', mapEntry: true, fields }) - 1 };
  };

  indexOf(shape.record);
  return { proto: protoText(messages), message: shape.record.name };
}
