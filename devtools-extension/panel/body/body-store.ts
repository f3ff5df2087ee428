import type { Body, Exchange } from '../../adapter/adapter.ts';

/** Bodies that the panel keeps itself, in all: the browser drops them earlier, and at the next navigation. */
const KEPT_BYTES = 128 * 1024 * 1024;

/** The bodies of responses, the latest of them kept. */
export class BodyStore {
  readonly #bodies = new Map<Exchange, Body>();
  #bytes = 0;

  /** The body of a response, from the browser where it is not kept. */
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

  clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }

  #drop(exchange: Exchange): void {
    const body = this.#bodies.get(exchange);
    if (body && 'bytes' in body) this.#bytes -= body.bytes.length;
    this.#bodies.delete(exchange);
  }
}
