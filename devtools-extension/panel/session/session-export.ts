import { signal } from '@preact/signals';
import type { ReadingClient, ReadRequest } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import type { Requests } from '../requests/requests.ts';
import { mayBeData, type Row } from '../requests/row.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';
import { bodyRequest, messageRequest } from './session-bodies.ts';

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
   * Newline-delimited JSON with one object per body that may hold data, or per message: `method`, `url`, `status`, `time`,
   * `side` (`sent` or `received` for messages, with the `event` of an EventSource), `format`, and `value` in the form used for copying, or the `reason` for its absence. Undefined if cancelled.
   */
  async run(): Promise<Blob | undefined> {
    this.cancel();
    const { signal: stop } = (this.#running = new AbortController());
    const rows = this.#dependencies.requests.rows.value.filter(({ exchange }) => mayBeData(exchange));
    let merged = new Blob([], { type: 'application/x-ndjson' });
    let parts: BlobPart[] = [];
    const gather = (): void => {
      merged = new Blob([merged, ...parts], { type: merged.type });
      parts = [];
    };
    for (const [done, row] of rows.entries()) {
      this.progress.value = { done, all: rows.length };
      for await (const line of this.#lines(row, stop)) {
        if (stop.aborted) return undefined;
        parts.push(...line);
        if (parts.length > PARTS) gather();
      }
    }
    gather();
    this.progress.value = undefined;
    return merged;
  }

  /** Lines of a request's bodies, or of the messages of a stream, in parts. */
  async *#lines({ exchange, found }: Row, stop: AbortSignal): AsyncGenerator<BlobPart[], void> {
    const { bodies, schemas } = this.#dependencies;
    const { method, url, status } = exchange;
    const head = { method, url, status, time: timeOf(exchange) };
    const messages = await exchange.messages?.();
    for (const message of messages ?? []) {
      const { direction, name, isText } = message;
      const own = { ...head, time: timeOf(message), side: direction, event: name };
      yield await this.#line(own, messageRequest(schemas, exchange, message, messages!), stop, { isText });
    }
    for (const side of ['request', 'response'] as const) {
      if (messages && side === 'response') continue;
      const body = side === 'request' ? await exchange.requestBody?.() : await bodies.read(exchange);
      if (!body) continue;
      if ('missing' in body) yield [`${JSON.stringify({ ...head, side, format: null, reason: body.missing })}\n`];
      else {
        const request = { ...bodyRequest(schemas, exchange, side, body.bytes), detected: side === 'response' ? found : undefined };
        yield await this.#line({ ...head, side }, request, stop, body);
      }
    }
  }

  /**
   * Line of a body or message, in parts. A body that the browser delivered as text, with possible loss, is marked `lossy`.
   * A message that is only text is its own value.
   */
  async #line(head: object, request: ReadRequest, stop: AbortSignal, about: { lossy?: boolean; isText?: boolean }): Promise<BlobPart[]> {
    const answer = await this.#dependencies.client
      .call('exportBody', request, { signal: stop, isBackground: true })
      .catch((error: unknown) => ({ format: null, reason: (error as Error).message, json: undefined }));
    const { format, reason, json } = answer;
    if (about.isText && !json) return [`${JSON.stringify({ ...head, format, value: new TextDecoder().decode(request.bytes) })}\n`];
    const text = JSON.stringify({ ...head, format, reason, lossy: about.lossy || undefined });
    return json ? [`${text.slice(0, -1)},"value":`, json as Uint8Array<ArrayBuffer>, '}\n'] : [`${text}\n`];
  }
}

function timeOf({ time }: { time: number }): string {
  return new Date(time).toISOString();
}
