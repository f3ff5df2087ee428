import { compileType } from '../../../../core/formats/jsbinary/schema.ts';
import { nameOfProperty, type Script } from '../script.ts';
import { type CodeTypes, nameByFields } from './code-types.ts';
import { literalOf } from './literal.ts';

/** Error of js-binary's constructor: a text that minifiers keep. */
export const JS_BINARY = 'Unknown basic type: ';

/** Adds the types of js-binary (https://github.com/sitegui/js-binary): `new Type({ id: 'uint', 'name?': 'string' })`. */
export function addJsBinary(scripts: readonly Script[], types: CodeTypes): void {
  for (const script of scripts) {
    for (const { node } of script.nodes()) {
      if (node.type !== 'NewExpression' || node.arguments.length !== 1) continue;
      const callee = script.valueOf(node.callee);
      if (callee?.type !== 'MemberExpression' || nameOfProperty(callee.property) !== 'Type') continue;
      const literal = literalOf(script, node.arguments[0]!);
      const fields = fieldsOf(literal);
      if (fields.length > 0 && compiles(literal))
        types.add({ name: nameByFields(fields), format: 'jsbinary', input: literal, where: script.url, by: 'js-binary' }, node);
    }
  }
}

/** Fields of an object, or of the objects in a list; empty for other types. */
function fieldsOf(literal: unknown): string[] {
  if (Array.isArray(literal)) return fieldsOf(literal[0]);
  return typeof literal === 'object' && literal !== null ? Object.keys(literal).map((key) => key.replace(/\?$/, '')) : [];
}

function compiles(literal: unknown): boolean {
  try {
    compileType(literal);
    return true;
  } catch {
    return false;
  }
}
