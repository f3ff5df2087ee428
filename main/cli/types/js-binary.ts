import { SchemaError } from '../../../core/errors.ts';
import { ARRAY, BOOLEAN, BUFFER, compileType, DATE, JSON_TEXT, OBJECT, OID, REGEX, STRING } from '../../../core/formats/jsbinary/schema.ts';
import { Declarations, listType, objectType, type Property, unionType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

const SCALARS: Readonly<Record<number, string>> = {
  [DATE]: 'Date',
  [BOOLEAN]: 'boolean',
  [OID]: 'string',
  [STRING]: 'string',
  [BUFFER]: 'Uint8Array',
  [JSON_TEXT]: 'unknown',
  [REGEX]: 'RegExp',
};

/** The type of a js-binary type, which is JSON. It is named after its file. */
export function jsBinaryTypes({ content, name }: SchemaFile): string {
  if (typeof content !== 'string') throw new SchemaError('a js-binary type is JSON');
  const { kinds, first, last, keys, fieldTypes, optional } = compileType(JSON.parse(content));
  const declarations = new Declarations([name]);
  const propertiesOf = (object: number): Property[] =>
    keys[object]!.map((key, index) => {
      const field = first[object]! + index;
      const type = typeOf(fieldTypes[field]!);
      // An optional value that is missing is undefined.
      return optional[field] === 1 ? { name: key, type: unionType([type, 'undefined']), isOptional: true } : { name: key, type };
    });
  const typeOf = (type: number): string => {
    if (kinds[type] === ARRAY) return listType(typeOf(first[type]!));
    if (kinds[type] === OBJECT) return last[type] === first[type] ? 'Record<never, never>' : objectType(propertiesOf(type));
    return SCALARS[kinds[type]!] ?? 'number';
  };
  if (kinds[0] === OBJECT) declarations.object(name, () => propertiesOf(0));
  else declarations.alias(name, () => typeOf(0));
  return declarations.text;
}
