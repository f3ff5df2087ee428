import { signal } from '@preact/signals';
import type { BodyMatch } from '../../reading/protocol.ts';
import { patternOf, type SearchQuery } from '../../reading/search/search.ts';
import { addressOf } from '../../text/address.ts';
import type { SavedExchange } from '../files/har.ts';
import { mayBeData, type Row } from '../requests/row.ts';
import type { Direction } from '../schemas/schemas.ts';
import { requestOf, type SessionDependencies } from './session-bodies.ts';
import { SessionWhatIf } from './session-what-if.ts';
import { storedSignal } from '../shared/settings.ts';

/** A path watched in the requests of an address. */
export interface Pin {
  address: string;
  path: (string | number)[];
}

/** Matches in one request. */
export interface SessionMatch {
  row: Row;
  direction: Direction;
  matches: BodyMatch[];
  count: number;
}

/** Value of a pinned path in one request. */
export interface PinnedValue {
  row: Row;
  /** Undefined if the body has no such path. */
  text: string | undefined;
}

/** Milliseconds allowed for a regular expression per body. */
const MAX_PATTERN_TIME = 3_000;
/** Maximum number of recent requests shown for a pin. */
const MAX_PINNED = 50;

/** Search across bodies, pinned paths, and export of the session. */
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
  readonly pins = storedSignal<Pin[]>('pins', []);
  readonly whatIf: SessionWhatIf;
  readonly #dependencies: SessionDependencies;
  #search = new AbortController();

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
    this.whatIf = new SessionWhatIf(dependencies);
  }

  /** Searches all bodies, latest first. A new search replaces the current one. */
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
    const rows = this.#dependencies.requests.rows.value.filter(({ exchange }) => mayBeData(exchange) && !exchange.messages).toReversed();
    for (const [done, row] of rows.entries()) {
      this.progress.value = { done, all: rows.length };
      for (const direction of ['response', 'request'] as const) {
        const answer = await this.#searchBody(row, direction, query, wanted);
        if (wanted.aborted) return;
        if (answer && answer.count > 0) this.found.value = [...this.found.value, { row, direction, ...answer }];
      }
    }
    this.progress.value = { done: rows.length, all: rows.length };
  }

  /** Rejects if a regular expression times out. */
  async #searchBody(
    row: Row,
    direction: Direction,
    query: SearchQuery,
    wanted: AbortSignal,
  ): Promise<{ matches: BodyMatch[]; count: number } | undefined> {
    const request = await requestOf(this.#dependencies, row, direction);
    if (!request || wanted.aborted) return undefined;
    const options = { signal: wanted, isBackground: true, longest: query.isPattern ? MAX_PATTERN_TIME : undefined };
    return this.#dependencies.client.call('searchBody', { ...request, query }, options).catch((error: unknown) => {
      if (query.isPattern && (error as Error).name === 'TimeoutError') throw error;
      return undefined;
    });
  }

  pin(url: string, path: (string | number)[]): void {
    const pin = { address: addressOf(url), path };
    this.unpin(pin);
    this.pins.value = [...this.pins.value, pin];
    this.isOpen.value = true;
  }

  unpin({ address, path }: Pin): void {
    this.pins.value = this.pins.value.filter((pin) => pin.address !== address || pin.path.join('\0') !== path.join('\0'));
  }

  /** Values of a pinned path, in the order of the requests. */
  async valuesOf({ address, path }: Pin, signal: AbortSignal): Promise<PinnedValue[]> {
    const rows = this.#dependencies.requests.rows.value.filter(({ exchange }) => addressOf(exchange.url) === address).slice(-MAX_PINNED);
    const values: PinnedValue[] = [];
    for (const row of rows) {
      const request = await requestOf(this.#dependencies, row);
      const found =
        request && (await this.#dependencies.client.call('pick', { ...request, path }, { signal, isBackground: true }).catch(() => undefined));
      values.push({ row, text: found?.text });
    }
    return values;
  }

  /** All requests with their available bodies, for saving. */
  async saved(): Promise<SavedExchange[]> {
    const saved: SavedExchange[] = [];
    for (const { exchange } of this.#dependencies.requests.rows.value) {
      if (exchange.method === 'FILE') continue;
      saved.push({ exchange, response: await this.#dependencies.bodies.read(exchange), request: await exchange.requestBody?.() });
    }
    return saved;
  }
}
