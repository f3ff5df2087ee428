import { signal } from '@preact/signals';
import type { Adapter, LibraryState } from '../../adapter/adapter.ts';

/** Milliseconds after which a page has most likely decoded what it was sent. */
const LATER = 500;

/** What the library on the inspected page reports. */
export class PageLibrary {
  /** Undefined where the page does not use the library, or was not asked yet. */
  readonly state = signal<LibraryState | undefined>(undefined);
  readonly #adapter: Adapter;
  #reading: Promise<void> | undefined;

  constructor(adapter: Adapter) {
    this.#adapter = adapter;
  }

  async read(): Promise<void> {
    this.state.value = await this.#adapter.readLibrary();
  }

  /** Reads in half a second. Concurrent callers share one reading. */
  readLater(): Promise<void> {
    this.#reading ??= new Promise<void>((resolve) => setTimeout(resolve, LATER)).then(() => this.read()).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** A body that the page has kept, by the id of its decode. */
  async readBody(id: number): Promise<Uint8Array | undefined> {
    const state = this.state.peek();
    return state && this.#adapter.readLibraryBody(id, state);
  }

  /** The page has navigated. */
  forget(): void {
    this.state.value = undefined;
  }
}
