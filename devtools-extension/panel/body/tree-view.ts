import { signal } from '@preact/signals';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { isMapKey } from '../../values/value-text.ts';

/** Number of rows expanded initially. */
const FIRST_ROWS = 60;

/** Parts of a frame that say where its message lies, and no more. */
const FRAME_PARTS: ReadonlySet<unknown> = new Set(['flags', 'length']);

/** Expanded containers of a tree, and the rows that are visible as a result. */
export class TreeView {
  readonly tree: SpanTree;
  /** Visible entries, in ascending order. */
  readonly rows = signal<ArrayLike<number>>([]);
  /** True to show the flags and lengths of frames. */
  readonly areFramesShown = signal(false);
  readonly #open = new Set<number>();
  /** Flags and lengths, and their number by frame. */
  readonly #frameParts = new Set<number>();
  readonly #partCounts = new Map<number, number>();

  constructor(tree: SpanTree) {
    this.tree = tree;
    for (const node of tree.data.shell?.keys() ?? []) {
      if (tree.isContainer(node) || !FRAME_PARTS.has(tree.key(node))) continue;
      const frame = tree.data.parents[node]!;
      this.#frameParts.add(node);
      this.#partCounts.set(frame, (this.#partCounts.get(frame) ?? 0) + 1);
    }
    const top = tree.children(0, 10_000);
    const small = [...top];
    let shown = top.length;
    while (small.length > 0) {
      const node = small.shift()!;
      const count = tree.childCount(node);
      if (!tree.isContainer(node) || count === 0 || (shown + count > FIRST_ROWS && node !== top[0])) continue;
      this.#open.add(node);
      shown += count;
      if (count <= FIRST_ROWS) small.push(...tree.children(node));
    }
    this.rows.value = this.#visible(0);
  }

  isOpen(node: number): boolean {
    return this.#open.has(node);
  }

  canOpen(node: number): boolean {
    return this.tree.isContainer(node) && this.tree.childCount(node) > this.foldedIn(node);
  }

  get hasFrames(): boolean {
    return this.#frameParts.size > 0;
  }

  /** Number of hidden flags and lengths of a frame. They precede its message. */
  foldedIn(node: number): number {
    return this.areFramesShown.value ? 0 : (this.#partCounts.get(node) ?? 0);
  }

  /** Entry whose values preview a closed one: of a folded frame, its message. */
  previewed(node: number): number {
    const folded = this.foldedIn(node);
    const [message, ...others] = folded === 0 ? [] : this.tree.children(node).slice(folded);
    return message !== undefined && others.length === 0 && this.tree.isContainer(message) ? message : node;
  }

  /** Shows the flags and lengths of frames, or hides them. */
  showFrames(areShown: boolean): void {
    this.areFramesShown.value = areShown;
    this.rows.value = this.#visible(0);
  }

  /** Row of an entry; −1 if hidden. */
  indexOf(node: number): number {
    const rows = this.rows.peek();
    let low = 0;
    let high = rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (rows[middle] === node) return middle;
      if (rows[middle]! < node) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  toggle(node: number): void {
    if (this.isOpen(node)) this.close(node);
    else this.open(node);
  }

  open(node: number): void {
    if (!this.canOpen(node) || this.#open.has(node)) return;
    this.#open.add(node);
    this.rows.value = this.#visible(0);
  }

  close(node: number): void {
    if (!this.#open.delete(node)) return;
    this.rows.value = this.#visible(0);
  }

  /** Expands all ancestors of an entry. For the flags or the length of a frame, shows those of all frames. */
  reveal(node: number): void {
    let isChanged = false;
    if (this.#frameParts.has(node) && !this.areFramesShown.peek()) {
      this.areFramesShown.value = true;
      isChanged = true;
    }
    for (let at = this.tree.data.parents[node]!; at > 0; at = this.tree.data.parents[at]!) {
      if (this.#open.has(at)) continue;
      this.#open.add(at);
      isChanged = true;
    }
    if (isChanged) this.rows.value = this.#visible(0);
  }

  #visible(node: number): Uint32Array {
    const { nexts } = this.tree.data;
    const end = nexts[node]!;
    const areHidden = this.hasFrames && !this.areFramesShown.peek();
    let rows = new Uint32Array(1024);
    let count = 0;
    for (let at = node + 1; at < end;) {
      if ((areHidden && this.#frameParts.has(at)) || isMapKey(this.tree, at)) {
        at = nexts[at]!;
        continue;
      }
      if (count === rows.length) {
        const grown = new Uint32Array(Math.min(count * 4, count + end - at));
        grown.set(rows);
        rows = grown;
      }
      rows[count] = at;
      count += 1;
      const next = nexts[at]!;
      at = next > at + 1 && this.#open.has(at) ? at + 1 : next;
    }
    return rows.subarray(0, count);
  }
}
