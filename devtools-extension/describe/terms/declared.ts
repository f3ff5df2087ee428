import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** Type of entries that the schema does not cover. */
export const UNDECLARED = -1;
/** Type of the list of a sequence's values. */
const SEQUENCE = -2;
const FIRST = 3;

/** Declared types of a tree's entries, as format-specific numbers. An entry's type follows from its container's and is computed on demand. */
export abstract class Declared {
  readonly tree: SpanTree;
  readonly #found: Int32Array;

  constructor(tree: SpanTree) {
    this.tree = tree;
    this.#found = new Int32Array(tree.count);
  }

  /** Type of an entry, or `UNDECLARED`. */
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

  /** Computes the type of an entry whose container's type is known. */
  #find(node: number): number {
    const { parents, roots } = this.tree.data;
    if (roots) {
      if (roots.has(node)) return this.root(node);
      if (this.tree.data.shell?.has(node)) return UNDECLARED;
    }
    const parent = parents[node]!;
    if (parent === 0) return this.tree.data.sequence ? SEQUENCE : this.root(node);
    const parentType = this.#found[parent]! - FIRST;
    if (parentType === SEQUENCE) return this.root(node);
    return parentType === UNDECLARED ? UNDECLARED : this.child(node, parent, parentType);
  }

  /** True if the entry is the list of a sequence's values. */
  isSequence(node: number): boolean {
    return this.tree.data.sequence === true && node > 0 && this.tree.data.parents[node] === 0;
  }

  /** Type of a top-level value. */
  protected abstract root(node: number): number;

  /** Type of an entry in a container of type `parentType`. */
  protected abstract child(node: number, parent: number, parentType: number): number;
}

const known = new WeakMap<SpanTree, Declared>();

/** Declared types of a tree; created on first use. */
export function declaredOf<T extends Declared>(tree: SpanTree, make: new (tree: SpanTree) => T): T {
  let declared = known.get(tree);
  if (!declared) known.set(tree, (declared = new make(tree)));
  return declared as T;
}
