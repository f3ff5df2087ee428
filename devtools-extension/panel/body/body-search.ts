import { signal } from '@preact/signals';
import type { OpenTree, ReadingClient } from '../../reading/protocol.ts';
import { patternOf, search, type SearchedBody, type SearchIn, type SearchQuery } from '../../reading/search/search.ts';
import { runSliced } from '../shared/slices.ts';

/** Milliseconds without a keystroke before the search starts. */
const PAUSE = 120;

/** A body whose search results can be selected. */
export interface BodyToSearch extends SearchedBody {
  readonly format: string | undefined;
  select(node: number): void;
}

/** Search in the open body, from the panel's field or from DevTools. */
export class BodySearch {
  readonly text = signal('');
  readonly where = signal<SearchIn>('all');
  /** True if the text is a regular expression. */
  readonly isPattern = signal(false);
  /** Matching entries; undefined without a search. */
  readonly found = signal<readonly number[] | undefined>(undefined);
  /** Error message for an invalid or stopped search; empty otherwise. */
  readonly problem = signal('');
  /** Index of the current match; −1 before the first. */
  readonly at = signal(-1);
  readonly #body: BodyToSearch;
  readonly #client: ReadingClient | undefined;
  #search = new AbortController();

  /** `client` runs regular expressions, because it can stop those that never end. Without it they find nothing. */
  constructor(body: BodyToSearch, client: ReadingClient | undefined) {
    this.#body = body;
    this.#client = client;
  }

  /** Searches after a short pause; a newer search cancels this one. Settles when done or cancelled. */
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
      const nodes = await this.#run({ text, where, isPattern: isPattern && where !== 'hex' }, wanted);
      if (nodes && !wanted.aborted) this.found.value = nodes;
    } catch (error) {
      if (wanted.aborted) return;
      this.found.value = undefined;
      this.problem.value = (error as Error).message;
    }
  }

  async #run(query: SearchQuery, wanted: AbortSignal): Promise<number[] | undefined> {
    if (!query.isPattern) return runSliced(search(this.#body, query), wanted);
    // Reports an invalid pattern immediately.
    patternOf(query.text);
    const { tree, bytes, format = '' } = this.#body;
    if (!tree || !this.#client) return [];
    const open: OpenTree = { data: tree.data, bytes, format };
    return this.#client.call('searchTree', { ...open, query }, { signal: wanted });
  }

  /** Selects the match `step` places on, wrapping around the ends. */
  go(step: number): void {
    const nodes = this.found.value;
    if (!nodes || nodes.length === 0) return;
    this.at.value = this.at.value < 0 && step < 0 ? nodes.length - 1 : (this.at.value + step + nodes.length) % nodes.length;
    this.#body.select(nodes[this.at.value]!);
  }
}
