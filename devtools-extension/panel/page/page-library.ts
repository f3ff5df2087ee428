import { signal } from '@preact/signals';
import type { Adapter, LibraryState } from '../../adapter/adapter.ts';

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
