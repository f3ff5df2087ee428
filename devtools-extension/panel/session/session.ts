import { sentBody } from '../../adapter/connect-get.ts';
import { signal } from '@preact/signals';
import type { Message } from '../../adapter/adapter.ts';
import type { BodyMatch, ReadRequest } from '../../reading/protocol.ts';
import { patternOf, type SearchQuery } from '../../reading/search/search.ts';
import type { SavedExchange } from '../files/har.ts';
import { mayBeData, type Row } from '../requests/row.ts';
import type { Direction } from '../schemas/schemas.ts';
import { messageRequest, requestOf, type SessionDependencies } from './session-bodies.ts';

/** Matches in one request. */
export interface SessionMatch {
  row: Row;
  direction: Direction;
  /** Message of a stream that has the matches; undefined for a body. */
  message?: Message;
  matches: BodyMatch[];
  count: number;
}

/** Milliseconds allowed for a regular expression per body. */
const MAX_PATTERN_TIME = 3_000;
/** Number of the latest messages of each stream that are searched. */
const MAX_MESSAGES = 5_000;
/** Search across bodies, and all requests for saving. */
export class Session {
  readonly isOpen = signal(false);
  readonly text = signal('');
  /** True if the text is a regular expression. */
  readonly isPattern = signal(false);
  /** Error that ended the search; empty otherwise. */
  readonly problem = signal('');
  readonly found = signal<readonly SessionMatch[]>([]);
  /** Bodies searched so far; undefined without a search. */
  readonly progress = signal<{ done: number; all: number } | undefined>(undefined);
  readonly #dependencies: SessionDependencies;
  #search = new AbortController();

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Searches all bodies and messages, latest first. A new search replaces the current one. */
  async search(text: string, isPattern = this.isPattern.value): Promise<void> {
    this.#search.abort();
    const controller = (this.#search = new AbortController());
    this.text.value = text;
    this.isPattern.value = isPattern;
    this.problem.value = '';
    this.found.value = [];
    this.progress.value = undefined;
    if (text.trim() === '') return;
    try {
      if (isPattern) patternOf(text);
      await this.#searchAll({ text, where: 'all', isPattern }, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) this.problem.value = (error as Error).message;
    }
  }

  /** Rejects if a regular expression times out. */
  async #searchAll(query: SearchQuery, wanted: AbortSignal): Promise<void> {
    const rows = this.#dependencies.requests.rows.value.filter(({ exchange }) => mayBeData(exchange)).toReversed();
    for (const [done, row] of rows.entries()) {
      this.progress.value = { done, all: rows.length };
      for await (const part of this.#partsOf(row)) {
        const { request, ...match } = part;
        const answer = request && (await this.#searchBody(request, query, wanted));
        if (wanted.aborted) return;
        if (answer && answer.count > 0) this.found.value = [...this.found.value, { row, ...match, ...answer }];
      }
    }
    this.progress.value = { done: rows.length, all: rows.length };
  }

  /** Bodies of a request, or the latest messages of a stream. */
  async *#partsOf(row: Row): AsyncGenerator<{ direction: Direction; message?: Message; request: ReadRequest | undefined }> {
    const { exchange } = row;
    const messages = await exchange.messages?.();
    for (const message of messages?.slice(-MAX_MESSAGES).toReversed() ?? []) {
      const direction = message.direction === 'sent' ? 'request' : 'response';
      yield { direction, message, request: messageRequest(this.#dependencies.schemas, exchange, message, messages!) };
    }
    if (messages) return;
    for (const direction of ['response', 'request'] as const) yield { direction, request: await requestOf(this.#dependencies, row, direction) };
  }

  /** Rejects if a regular expression times out. */
  async #searchBody(request: ReadRequest, query: SearchQuery, wanted: AbortSignal): Promise<{ matches: BodyMatch[]; count: number } | undefined> {
    const options = { signal: wanted, isBackground: true, longest: query.isPattern ? MAX_PATTERN_TIME : undefined };
    return this.#dependencies.client.call('searchBody', { ...request, query }, options).catch((error: unknown) => {
      if (query.isPattern && (error as Error).name === 'TimeoutError') throw error;
      return undefined;
    });
  }

  /** All requests with their available bodies, for saving. */
  async saved(): Promise<SavedExchange[]> {
    const saved: SavedExchange[] = [];
    for (const { exchange } of this.#dependencies.requests.rows.value) {
      if (exchange.method === 'FILE') continue;
      const messages = await exchange.messages?.();
      const response = messages ? { bytes: new Uint8Array(0) } : await this.#dependencies.bodies.read(exchange);
      saved.push({ exchange, response, request: await sentBody(exchange), messages });
    }
    return saved;
  }
}
