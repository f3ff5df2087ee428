import type { Body, Exchange } from '../../adapter/adapter.ts';

/** Total size of cached bodies. The browser evicts its own earlier, and on navigation. */
const KEPT_BYTES = 128 * 1024 * 1024;

/** Cache of response bodies; evicts the oldest. */
export class BodyStore {
  readonly #bodies = new Map<Exchange, Body>();
  #bytes = 0;

  /** Response body from the cache, otherwise from the browser. */
  async read(exchange: Exchange): Promise<Body> {
    const kept = this.#bodies.get(exchange);
    if (kept) return kept;
    const body = await exchange.responseBody();
    if ('bytes' in body) this.keep(exchange, body.bytes, body.lossy);
    return body;
  }

  keep(exchange: Exchange, bytes: Uint8Array, lossy = false): void {
    if (bytes.length >= KEPT_BYTES) return;
    this.#drop(exchange);
    this.#bodies.set(exchange, { bytes, lossy });
    this.#bytes += bytes.length;
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
  }

  /** Drops the bodies of requests that began before a time. */
  clear(before: number): void {
    for (const exchange of this.#bodies.keys()) if (exchange.time < before) this.#drop(exchange);
  }

  #drop(exchange: Exchange): void {
    const body = this.#bodies.get(exchange);
    if (body && 'bytes' in body) this.#bytes -= body.bytes.length;
    this.#bodies.delete(exchange);
  }
}
