import type { FormatId } from '../../../../core/format/format-id.ts';
import { type AnyNode, methodOf, type Script } from '../script.ts';
import type { FoundType } from '../types.ts';

/** A type that the code of a page declares, with its format. */
export interface CodeType extends FoundType {
  format: FormatId;
}

/** Largest number of types of one page. */
const MAX_COUNT = 1_000;

/** Types of formats other than Protocol Buffers, by the code that declares them, across all scripts. */
export class CodeTypes {
  readonly all: CodeType[] = [];
  readonly #byNode = new Map<AnyNode, CodeType>();
  readonly #known = new Map<string, CodeType>();
  /** Number of types by format and name. */
  readonly #taken = new Map<string, number>();

  /** Adds a type; `nodes` are the values that stand for it in the code. Types with different definitions get different names. */
  add(type: CodeType, ...nodes: AnyNode[]): void {
    const key = `${type.format} ${JSON.stringify(type.input, textOfValue)}`;
    let known = this.#known.get(key);
    if (!known && this.all.length < MAX_COUNT) {
      const taken = `${type.format} ${type.name}`;
      const number = (this.#taken.get(taken) ?? 0) + 1;
      this.#taken.set(taken, number);
      known = { ...type, name: number > 1 ? `${type.name} (${number})` : type.name };
      this.#known.set(key, known);
      this.all.push(known);
    }
    if (known) for (const node of nodes) this.#byNode.set(node, known);
  }

  /** Lets a value stand for a type. */
  alias(node: AnyNode, type: CodeType): void {
    this.#byNode.set(node, type);
  }

  /** Type that an expression stands for. */
  typeOf(script: Script, node: AnyNode | null | undefined): CodeType | undefined {
    const value = withoutParse(script, script.constantOf(node));
    return value && this.#byNode.get(value);
  }
}

/** The text in `JSON.parse('…')`, as bundlers write large JSON files; other values unchanged. */
export function withoutParse(script: Script, value: AnyNode | undefined): AnyNode | undefined {
  if (value?.type !== 'CallExpression' || methodOf(value) !== 'parse' || value.arguments.length !== 1) return value;
  const { callee } = value;
  const isJson = callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'JSON';
  return isJson ? script.valueOf(value.arguments[0]) : value;
}

/** Name of a type that the code does not name: its first fields. */
export function nameByFields(fields: readonly string[]): string {
  return `{ ${fields.slice(0, 3).join(', ')}${fields.length > 3 ? ', …' : ''} }`;
}

/** Bigints and bytes as text, for comparing definitions. */
function textOfValue(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? value.join() : value;
}
