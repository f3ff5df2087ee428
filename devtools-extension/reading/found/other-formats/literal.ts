import { type AnyNode, nameOfProperty, propertiesOf, type Script } from '../script.ts';
import { withoutParse } from './code-types.ts';

/** Largest nesting, and number of values, of a literal. Names may share parts. */
const MAX_DEPTH = 60;
const MAX_COUNT = 20_000;

/** Value of an expression of literals, and names that stand for them, as JSON; undefined if any part is something else. */
export function literalOf(script: Script, node: AnyNode): unknown {
  let count = 0;
  const read = (given: AnyNode, depth: number): unknown => {
    count += 1;
    const value = count > MAX_COUNT || depth > MAX_DEPTH ? undefined : valueIn(script, given);
    const found = withoutParse(script, value);
    const text = script.textOf(found);
    if (text !== undefined) return found === value ? text : parsed(text);
    switch (found?.type) {
      case 'Literal':
        if (typeof found.value === 'number' || typeof found.value === 'boolean' || found.raw === 'null') return found.value;
        throw NOT;
      case 'UnaryExpression': {
        const inner = read(found.argument, depth + 1);
        if (typeof inner !== 'number' || !/^[!-]$/.test(found.operator)) throw NOT;
        return found.operator === '!' ? inner === 0 : -inner;
      }
      case 'ArrayExpression':
        return found.elements.flatMap((element): unknown[] => {
          if (!element) throw NOT;
          if (element.type !== 'SpreadElement') return [read(element, depth + 1)];
          const spread = read(element.argument, depth + 1);
          if (!Array.isArray(spread)) throw NOT;
          return spread as unknown[];
        });
      case 'ObjectExpression':
        return Object.fromEntries(
          found.properties.flatMap((property): [string, unknown][] => {
            if (property.type === 'SpreadElement') {
              const spread = read(property.argument, depth + 1);
              if (typeof spread !== 'object' || spread === null || Array.isArray(spread)) throw NOT;
              return Object.entries(spread);
            }
            const name = property.computed || property.kind !== 'init' ? undefined : nameOfProperty(property.key);
            if (name === undefined) throw NOT;
            return [[name, read(property.value, depth + 1)]];
          }),
        );
      default:
        throw NOT;
    }
  };
  try {
    return read(node, 0);
  } catch (error) {
    if (error !== NOT) throw error;
    return undefined;
  }
}

const NOT = new Error('not a literal');

/** Value of a name, or of a property of an object literal. */
function valueIn(script: Script, node: AnyNode): AnyNode | undefined {
  const value = script.constantOf(node);
  if (value?.type !== 'MemberExpression' || value.computed) return value;
  const name = nameOfProperty(value.property);
  const property = name === undefined ? undefined : propertiesOf(script.constantOf(value.object)).get(name);
  return property && script.constantOf(property);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw NOT;
  }
}
