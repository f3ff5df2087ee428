import { signal } from '@preact/signals';
import { search, type SearchedBody, type SearchIn } from '../../reading/search.ts';
import { runSliced } from './slices.ts';

/** Milliseconds without another key, before the search begins. */
const PAUSE = 120;

/** A body in which finds are gone to. */
export interface BodyToSearch extends SearchedBody {
  select(node: number): void;
}

/** A search in the body that is open: by the panel's own field, or by that of DevTools. */
export class BodySearch {
  readonly text = signal('');
  readonly where = signal<SearchIn>('all');
  /** The entries that were found; undefined where nothing is searched. */
  readonly found = signal<readonly number[] | undefined>(undefined);
  /** Which of them was gone to, −1 before the first. */
  readonly at = signal(-1);
  readonly #body: BodyToSearch;
  #run = 0;

  constructor(body: BodyToSearch) {
    this.#body = body;
  }

  /** Searches in a moment, unless something else is searched until then. Settles when it is done, or no longer wanted. */
  async find(text: string, where: SearchIn = this.where.value): Promise<void> {
    const mine = ++this.#run;
    this.text.value = text;
    this.where.value = where;
    this.at.value = -1;
    if (text.trim() === '') {
      this.found.value = undefined;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (mine !== this.#run) return;
    const nodes = await runSliced(search(this.#body, text, where), () => mine !== this.#run);
    if (nodes && mine === this.#run) this.found.value = nodes;
  }

  /** Goes so many finds on, or back, around the ends. */
  go(step: number): void {
    const nodes = this.found.value;
    if (!nodes || nodes.length === 0) return;
    this.at.value = this.at.value < 0 && step < 0 ? nodes.length - 1 : (this.at.value + step + nodes.length) % nodes.length;
    this.#body.select(nodes[this.at.value]!);
  }
}
