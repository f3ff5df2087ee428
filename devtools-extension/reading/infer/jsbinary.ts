import { compileJsBinarySchema, type JsBinarySchema } from '../../../core/formats/jsbinary/schema.ts';
import { fieldsOf, inferShape, isOptional, type Shape, UnsupportedError } from './shape.ts';

type Literal = string | [Literal] | { [key: string]: Literal };

const SCALARS: Readonly<Record<string, string>> = { boolean: 'boolean', double: 'float', string: 'string', bytes: 'Buffer', date: 'date' };

/** Infers a type literal for a value. A path with several kinds gets the type json. */
export function inferJsBinary(value: unknown): { schema: JsBinarySchema; literal: unknown; value: unknown } {
  const { root } = inferShape(value);
  if (root.kinds.size === 0) throw new UnsupportedError('null alone has no type');
  const literal = literalOf(root);
  return { schema: compileJsBinarySchema(literal), literal, value };
}

/** True if a path can only be JSON text: it has several kinds, or lists with null. */
function isJson(shape: Shape): boolean {
  return shape.kinds.size > 1 || (shape.items !== undefined && (shape.items.isNullable || shape.items.kinds.size === 0 || isJson(shape.items)));
}

function literalOf(shape: Shape): Literal {
  if (isJson(shape)) return 'json';
  const { kind } = shape;
  if (kind === 'integer') return shape.min < 0 ? 'int' : 'uint';
  if (kind === 'list') return [literalOf(shape.items!)];
  if (kind !== 'record') return SCALARS[kind!]!;
  const record = shape.record!;
  return Object.fromEntries(
    fieldsOf(record).map(([key, field]) => {
      if (key.endsWith('?')) throw new UnsupportedError(`the key ${key} ends with ?, which marks an optional field`);
      return [isOptional(record, field) ? `${key}?` : key, literalOf(field)];
    }),
  );
}
