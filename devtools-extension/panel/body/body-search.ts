import { signal } from '@preact/signals';
import type { OpenTree, ReadingClient } from '../../reading/protocol.ts';
import { isOfBytes, patternOf, search, type SearchedBody, type SearchIn, type SearchQuery } from '../../reading/search/search.ts';
import { runSliced } from '../shared/slices.ts';

/** Milliseconds without another key, before the search begins. */
const PAUSE = 120;

/** A body in which finds are gone to. */
export interface BodyToSearch extends SearchedBody {
  readonly format: string | undefined;
  select(node: number): void;
}

/** A search in the body that is open: by the panel's own field, or by that of DevTools. */
export class BodySearch {
  readonly text = signal('');
  readonly where = signal<SearchIn>('all');
  /** The text is a regular expression. */
  readonly isPattern = signal(false);
  /** The entries that were found; undefined where nothing is searched. */
  readonly found = signal<readonly number[] | undefined>(undefined);
  /** Why nothing can be found, in words; empty where something can. */
  readonly problem = signal('');
  /** Which of them was gone to, −1 before the first. */
  readonly at = signal(-1);
  readonly #body: BodyToSearch;
  readonly #client: ReadingClient | undefined;
  #search = new AbortController();

  /** Regular expressions are run by `client`, which ends those that take for ever: without it there are none. */
  constructor(body: BodyToSearch, client: ReadingClient | undefined) {
    this.#body = body;
    this.#client = client;
  }

  /** Searches in a moment, unless something else is searched until then. Settles when it is done, or no longer wanted. */
  async find({ text = this.text.value, where = this.where.value, isPattern = this.isPattern.value }: Partial<SearchQuery>): Promise<void> {
    this.#search.abort();
    const { signal: wanted } = (this.#search = new AbortController());
    this.text.value = text;
    this.where.value = where;
    this.isPattern.value = isPattern;
    this.at.value = -1;
    this.problem.value = '';
    if (text.trim() === '') {
      this.found.value = undefined;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (wanted.aborted) return;
    try {
      const nodes = await this.#run({ text, where, isPattern: isPattern && !isOfBytes(where) }, wanted);
      if (nodes && !wanted.aborted) this.found.value = nodes;
    } catch (error) {
      if (wanted.aborted) return;
      this.found.value = undefined;
      this.problem.value = (error as Error).message;
    }
  }

  async #run(query: SearchQuery, wanted: AbortSignal): Promise<number[] | undefined> {
    if (!query.isPattern) return runSliced(search(this.#body, query), () => wanted.aborted);
    // Says at once what is wrong with it.
    patternOf(query.text);
    const { tree, bytes, format = '' } = this.#body;
    if (!tree || !this.#client) return [];
    const open: OpenTree = { data: tree.data, bytes, format };
    return this.#client.call('searchTree', { ...open, query }, { signal: wanted });
  }

  /** Goes so many finds on, or back, around the ends. */
  go(step: number): void {
    const nodes = this.found.value;
    if (!nodes || nodes.length === 0) return;
    this.at.value = this.at.value < 0 && step < 0 ? nodes.length - 1 : (this.at.value + step + nodes.length) % nodes.length;
    this.#body.select(nodes[this.at.value]!);
  }
}
