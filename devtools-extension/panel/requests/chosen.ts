import type { ReadonlySignal } from '@preact/signals';
import { computed, signal } from '@preact/signals';
import type { Row } from './row.ts';

/** Requests chosen together, in addition to the open one. */
export class Chosen {
  /** Ids of the chosen requests; empty unless several are chosen. */
  readonly ids = signal<ReadonlySet<number>>(new Set());
  /** Chosen rows in the order of the list, without hidden ones. */
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** End of a range that starts at the open request. */
  #end: number | undefined;

  constructor(visible: ReadonlySignal<readonly Row[]>) {
    this.rows = computed(() => (this.ids.value.size === 0 ? [] : visible.value.filter(({ exchange }) => this.ids.value.has(exchange.id))));
  }

  clear(): void {
    this.#end = undefined;
    if (this.ids.value.size > 0) this.ids.value = new Set();
  }

  /** Adds a request to the open one, or removes it. */
  toggle(id: number, open: number | undefined): void {
    const ids = new Set(this.ids.value);
    if (open !== undefined && ids.size === 0) ids.add(open);
    if (!ids.delete(id)) ids.add(id);
    this.ids.value = ids;
  }

  /** Chooses the rows between the open one, at `from`, and another. */
  extendTo(end: number, from: number, rows: readonly Row[]): void {
    const start = from >= 0 ? from : end;
    this.#end = end;
    this.ids.value = new Set(rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ exchange }) => exchange.id));
  }

  /** Index of the end of the range, if there is one. */
  get end(): number | undefined {
    return this.#end;
  }
}
