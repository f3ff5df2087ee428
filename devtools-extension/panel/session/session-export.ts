import { signal } from '@preact/signals';
import type { Body } from '../../adapter/adapter.ts';
import type { ReadingClient } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import type { Requests } from '../requests/requests.ts';
import { mayBeData, type Row } from '../requests/row.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';
import { bodyRequest } from './session-bodies.ts';

/** Dependencies of `SessionExport`. */
export interface SessionExportDependencies {
  client: ReadingClient;
  bodies: BodyStore;
  requests: Requests;
  schemas: SchemaUse;
}

/** Number of parts merged into one blob, which the browser may store outside the panel's memory. */
const PARTS = 64;

/** Exports the values of all bodies as newline-delimited JSON. */
export class SessionExport {
  /** Exported requests; undefined without an export. */
  readonly progress = signal<{ done: number; all: number } | undefined>(undefined);
  readonly #dependencies: SessionExportDependencies;
  #running = new AbortController();

  constructor(dependencies: SessionExportDependencies) {
    this.#dependencies = dependencies;
  }

  /** Cancels the running export. */
  cancel(): void {
    this.#running.abort();
    this.progress.value = undefined;
  }

  /**
   * Newline-delimited JSON with one object per body that may hold data: `method`, `url`, `status`, `time`, `side`,
   * `format`, and `value` in the form used for copying, or the `reason` for its absence. Undefined if cancelled.
   */
  async run(): Promise<Blob | undefined> {
    this.cancel();
    const { signal: stop } = (this.#running = new AbortController());
    const rows = this.#dependencies.requests.rows.value.filter(({ exchange }) => mayBeData(exchange) && !exchange.messages);
    let merged = new Blob([], { type: 'application/x-ndjson' });
    let parts: BlobPart[] = [];
    const gather = (): void => {
      merged = new Blob([merged, ...parts], { type: merged.type });
      parts = [];
    };
    for (const [done, row] of rows.entries()) {
      this.progress.value = { done, all: rows.length };
      for (const side of ['request', 'response'] as const) {
        const line = await this.#line(row, side, stop);
        if (stop.aborted) return undefined;
        parts.push(...line);
        if (parts.length > PARTS) gather();
      }
    }
    gather();
    this.progress.value = undefined;
    return merged;
  }

  /** Line of a body, in parts; empty without a body. */
  async #line({ exchange, found }: Row, side: 'request' | 'response', stop: AbortSignal): Promise<BlobPart[]> {
    const body = side === 'request' ? await exchange.requestBody?.() : await this.#dependencies.bodies.read(exchange);
    if (!body) return [];
    const { method, url, status, time } = exchange;
    const head = { method, url, status, time: new Date(time).toISOString(), side };
    if ('missing' in body) return [`${JSON.stringify({ ...head, format: null, reason: body.missing })}\n`];
    const request = { ...bodyRequest(this.#dependencies.schemas, exchange, side, body.bytes), detected: side === 'response' ? found : undefined };
    const answer = await this.#dependencies.client
      .call('exportBody', request, { signal: stop, isBackground: true })
      .catch((error: unknown) => ({ format: null, reason: (error as Error).message, json: undefined }));
    const { format, reason, json } = answer;
    const text = JSON.stringify({ ...head, format, ...(reason !== undefined && { reason }), ...lossyMark(body) });
    return json ? [`${text.slice(0, -1)},"value":`, json as Uint8Array<ArrayBuffer>, '}\n'] : [`${text}\n`];
  }
}

/** Marks a body that the browser delivered as text, with possible loss. */
function lossyMark(body: Body): object {
  return 'bytes' in body && body.lossy === true ? { lossy: true } : {};
}
