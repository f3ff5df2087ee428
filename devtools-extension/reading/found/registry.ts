import { type AnyNode, chainOf, type Script, walk } from './script.ts';
import type { DraftMessage } from './types.ts';

/** Functions that name a message type by the object they are called on, or by their first argument. */
const CODERS = /^(?:encode|decode|toBinary|fromBinary|serializeBinary|deserializeBinary|create)$/;

/** Message types of all scripts, by the code that declares them and by name. */
export class Registry {
  readonly #byNode = new Map<AnyNode, DraftMessage>();
  readonly #byName = new Map<string, DraftMessage>();
  /** By the last part of a full name; undefined if several have it. */
  readonly #byLast = new Map<string, DraftMessage | undefined>();
  /** Types that pieces of code use, until a type is added. */
  #uses = new WeakMap<AnyNode, { written: DraftMessage[]; read: DraftMessage[] }>();

  /** Adds a type; the first of a name counts. `node` is the value that stands for it in the code. */
  add(message: DraftMessage, node?: AnyNode): void {
    const known = this.#byName.get(message.name);
    if (!known) {
      this.#byName.set(message.name, message);
      const last = message.name.lastIndexOf('.');
      const end = message.name.slice(last + 1);
      if (last >= 0) this.#byLast.set(end, this.#byLast.has(end) ? undefined : message);
    }
    this.#uses = new WeakMap();
    if (node) this.#byNode.set(node, known ?? message);
  }

  get size(): number {
    return this.#byName.size;
  }

  get messages(): DraftMessage[] {
    return [...this.#byName.values()];
  }

  named(name: string): DraftMessage | undefined {
    return this.#byName.get(name);
  }

  /** Type that an expression names: its value, or a chain such as `proto.shop.Order`, whose end is a full name. */
  typeOf(script: Script, node: AnyNode | null | undefined): DraftMessage | undefined {
    const value = script.valueOf(node);
    const known = value && this.#byNode.get(value);
    if (known) return known;
    const chain = [chainOf(node ?? undefined), chainOf(value)].find((names) => names !== undefined && names.length >= 2);
    if (!chain) return undefined;
    for (let from = 1; from < chain.length; from += 1) {
      const found = this.#byName.get(chain.slice(from).join('.'));
      if (found) return found;
    }
    return this.#byLast.get(chain.at(-1)!);
  }

  /** Types that a piece of code encodes or decodes, such as `Order.decode(…)` or `fromBinary(OrderSchema, …)`. */
  usedIn(script: Script, node: AnyNode): { written: readonly DraftMessage[]; read: readonly DraftMessage[] } {
    const before = this.#uses.get(node);
    if (before) return before;
    const written = new Set<DraftMessage>();
    const read = new Set<DraftMessage>();
    for (const { node: inner } of walk(node)) {
      if (inner.type !== 'CallExpression' || inner.callee.type !== 'MemberExpression' || inner.callee.computed) continue;
      const { object, property } = inner.callee;
      const name = property.type === 'Identifier' ? property.name : '';
      const type = CODERS.test(name) ? this.typeOf(script, object) : undefined;
      if (type) (/^(?:encode|toBinary|serializeBinary)$/.test(name) ? written : read).add(type);
    }
    const uses = { written: [...written], read: [...read] };
    this.#uses.set(node, uses);
    return uses;
  }
}
