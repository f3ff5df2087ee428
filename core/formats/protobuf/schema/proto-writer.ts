import { identifier } from '../../../format/schema-names.ts';
import { jsonNameOf } from './definitions.ts';
import { type FieldSchema, MESSAGE, type MessageSchema, TYPE_NAMES } from './schema.ts';

/** A field as the text of a `.proto` has it. `name` is the key in JSON, which becomes `json_name` where the field's name does not give it. */
export type WrittenField = Pick<FieldSchema, 'name' | 'number' | 'type' | 'ref' | 'repeated' | 'presence'>;

/** A message as the text of a `.proto` has it. */
export type WrittenMessage = Pick<MessageSchema, 'name' | 'mapEntry'> & { readonly fields: readonly WrittenField[] };

/** The text of a `.proto` file (proto3) with messages. `noteOf` gives the comment of a field. */
export function protoText(messages: readonly WrittenMessage[], noteOf?: (message: number, field: WrittenField) => string | undefined): string {
  const typeOf = ({ type, ref }: WrittenField): string => (type === MESSAGE ? messages[ref]!.name : TYPE_NAMES[type]!);
  const texts = messages.flatMap(({ name, fields, mapEntry }, index) => {
    if (mapEntry) return [];
    const taken = new Set<string>();
    const lines = fields.map((field) => {
      const entry = field.type === MESSAGE ? messages[field.ref]! : undefined;
      const label = field.repeated ? 'repeated ' : field.presence === 'optional' ? 'optional ' : '';
      const type = entry?.mapEntry ? `map<${entry.fields.map(typeOf).join(', ')}>` : `${label}${typeOf(field)}`;
      const found = identifier(field.name, taken);
      const renamed = jsonNameOf(found) === field.name ? '' : ` [json_name = ${JSON.stringify(field.name)}]`;
      const note = noteOf?.(index, field);
      return `  ${type} ${found} = ${field.number}${renamed};${note === undefined ? '' : ` // ${note}`}`;
    });
    return [`message ${name} {\n${lines.join('\n')}\n}`];
  });
  return `syntax = "proto3";\n\n${texts.join('\n\n')}\n`;
}
