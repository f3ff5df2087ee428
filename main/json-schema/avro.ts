import { unique } from '../../core/format/schema-names.ts';
import type { AvroSchemaJson } from '../../core/formats/avro/options.ts';
import { type Place, refuse, type RecordShape, type Shape } from './shape.ts';

/** Names of records, fields and symbols (https://avro.apache.org/docs/1.12.0/specification/#names). */
const NAME = /^[A-Za-z_]\w*$/;

/** The Avro schema of a shape. */
export function avroSchemaOf(root: Place, name: string): AvroSchemaJson {
  const written = new Set<RecordShape>();
  // Enums come after the records that name them, whose names are known.
  const names = recordNames(root);

  const typeOf = ({ shape, isNullable }: Place, key: string): unknown => {
    const type = plainTypeOf(shape, key);
    return isNullable ? ['null', type] : type;
  };
  const plainTypeOf = (shape: Shape, key: string): unknown => {
    switch (shape.kind) {
      case 'int32':
        return 'int';
      case 'integer':
        return 'long';
      case 'number':
        return 'double';
      case 'enum':
        if (!shape.symbols.every((symbol) => NAME.test(symbol))) return 'string';
        return { type: 'enum', name: unique(key, names), symbols: shape.symbols };
      case 'array':
        return { type: 'array', items: typeOf(shape.items, key) };
      case 'map':
        return { type: 'map', values: typeOf(shape.values, key) };
      case 'record':
        return recordOf(shape.record);
      default:
        return shape.kind;
    }
  };
  const recordOf = (record: RecordShape): unknown => {
    if (written.has(record)) return record.name;
    written.add(record);
    const fields = [...record.fields].map(([key, place]) => {
      if (!NAME.test(key)) refuse(place.pointer, 'Avro', `the key ${JSON.stringify(key)}`);
      const type = typeOf(place, `${record.name}_${key}`);
      if (place.isRequired) return { name: key, type };
      if (place.isNullable || place.shape.kind === 'null') refuse(place.pointer, 'Avro', 'a key that may be absent as well as null');
      return { name: key, type: ['null', type], default: null };
    });
    return { type: 'record', name: record.name, fields };
  };
  return typeOf(root, name) as AvroSchemaJson;
}

/** Names of all records. */
function recordNames(root: Place): Set<string> {
  const names = new Set<string>();
  const visit = ({ shape }: Place): void => {
    if (shape.kind === 'array') visit(shape.items);
    else if (shape.kind === 'map') visit(shape.values);
    else if (shape.kind === 'record' && !names.has(shape.record.name)) {
      names.add(shape.record.name);
      for (const place of shape.record.fields.values()) visit(place);
    }
  };
  visit(root);
  return names;
}
