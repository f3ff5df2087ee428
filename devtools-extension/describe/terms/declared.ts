import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** What no schema says anything of. */
export const UNDECLARED = -1;
/** The list of what a body holds one after another. */
const SEQUENCE = -2;
const FIRST = 3;

/**
 * What a schema declares entries as: numbers, of which each format has its own. An entry's follows from that of its
 * container, and is found when it is asked for.
 */
export abstract class Declared {
  readonly tree: SpanTree;
  readonly #found: Int32Array;

  constructor(tree: SpanTree) {
    this.tree = tree;
    this.#found = new Int32Array(tree.count);
  }

  /** The type of an entry, `UNDECLARED` where the schema has none for it. */
  typeOf(node: number): number {
    const { parents } = this.tree.data;
    if (node > 0 && this.#found[node] === 0) {
      const way = [node];
      for (let at = parents[node]!; at > 0 && this.#found[at] === 0; at = parents[at]!) way.push(at);
      for (let next = way.pop(); next !== undefined; next = way.pop()) this.#found[next] = FIRST + this.#find(next);
    }
    const type = this.#found[node]! - FIRST;
    return type === SEQUENCE || node === 0 ? UNDECLARED : type;
  }

  /** The type of an entry whose container's is found. */
  #find(node: number): number {
    const { parents, roots } = this.tree.data;
    if (roots) {
      if (roots.has(node)) return this.root(node);
      if (this.tree.data.shell?.has(node)) return UNDECLARED;
    }
    const parent = parents[node]!;
    if (parent === 0) return this.tree.data.sequence ? SEQUENCE : this.root(node);
    const around = this.#found[parent]! - FIRST;
    if (around === SEQUENCE) return this.root(node);
    return around === UNDECLARED ? UNDECLARED : this.child(node, parent, around);
  }

  /** Whether the entry is the list of what the body holds. */
  isSequence(node: number): boolean {
    return this.tree.data.sequence === true && node > 0 && this.tree.data.parents[node] === 0;
  }

  /** The type of a value that is in no other. */
  protected abstract root(node: number): number;

  /** The type of what is in a value of the type `around`. */
  protected abstract child(node: number, parent: number, around: number): number;
}

const known = new WeakMap<SpanTree, Declared>();

/** The declared types of a tree, made once. */
export function declaredOf<T extends Declared>(tree: SpanTree, make: new (tree: SpanTree) => T): T {
  let declared = known.get(tree);
  if (!declared) known.set(tree, (declared = new make(tree)));
  return declared as T;
}
