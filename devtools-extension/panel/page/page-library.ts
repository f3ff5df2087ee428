import type { DecodeReport } from '../../../main/call/observe.ts';
import type { Exchange, LibraryState, Adapter } from '../../adapter/adapter.ts';
import { isOfPage } from './page-access.ts';
import { signal } from '@preact/signals';

/** Milliseconds after which a page has most likely decoded a response. */
const LATER = 500;

/** State of the library on the inspected page. */
export class PageLibrary {
  /** Undefined if the page does not use the library, or before the first read. */
  readonly state = signal<LibraryState | undefined>(undefined);
  readonly #adapter: Adapter;
  #reading: Promise<void> | undefined;

  constructor(adapter: Adapter) {
    this.#adapter = adapter;
  }

  async read(): Promise<void> {
    this.state.value = await this.#adapter.readLibrary();
  }

  /** Reads the state in half a second. Concurrent callers share one read. */
  readLater(): Promise<void> {
    this.#reading ??= new Promise<void>((resolve) => setTimeout(resolve, LATER)).then(() => this.read()).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Body that the page keeps, by the id of its decode. */
  async readBody(id: number): Promise<Uint8Array | undefined> {
    const state = this.state.peek();
    return state && this.#adapter.readLibraryBody(id, state);
  }

  /** Called after a navigation. */
  forget(): void {
    this.state.value = undefined;
  }
}

/** Milliseconds by which the clocks of page and network may differ. */
const SLACK = 20;

/**
 * The library's reports of a response. A URL may be requested many times: a decode belongs to the last request that began
 * before it. Other pages' requests have none.
 */
export function reportsOf({ origin, decodes, timeOrigin }: LibraryState, exchange: Exchange, all: readonly Exchange[]): DecodeReport[] {
  if (origin !== undefined && !isOfPage(exchange, origin)) return [];
  const alike = all.filter(({ url }) => url === exchange.url);
  return decodes.filter((report) => {
    if (report.url !== exchange.url) return false;
    const start = timeOrigin + report.startTime + SLACK;
    const begun = alike.filter(({ time }) => time <= start);
    const latest = begun.reduce<Exchange | undefined>((last, other) => (last && last.time > other.time ? last : other), undefined);
    return latest === undefined || latest === exchange;
  });
}

/** Id of the decode whose body the page keeps for this response; undefined without one. */
export function keptBodyId(state: LibraryState, exchange: Exchange, all: readonly Exchange[]): number | undefined {
  return reportsOf(state, exchange, all).findLast(({ id }) => state.bodies.includes(id))?.id;
}
