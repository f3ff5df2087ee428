import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { type AnyEncoding, choicesOf } from '../payloads/encodings.ts';
import { fetchOk } from '../payloads/load-blob.ts';
import { apiUrl, payloadUrl } from '../payloads/payload-url.ts';
import { type RowSource, tripsOf } from '../payloads/trips.ts';

export const PLAIN_ENCODINGS = choicesOf('messagepack', 'cbor', 'avro');
const ROWS = 10_000;

/** A body as seen by the server or the page. */
export interface Side {
  type: string;
  /** Undefined if unknown. */
  bytes: number | undefined;
}

export type PlainState =
  | { phase: 'idle' }
  | { phase: 'running' }
  | { phase: 'done'; sent: Side; received: Side; ms: number; rows: RowSource }
  | { phase: 'failed'; error: unknown };

/** An application that knows only JSON. */
export interface PlainFetch {
  readonly encoding: Signal<AnyEncoding>;
  readonly state: ReadonlySignal<PlainState>;
  run(): Promise<void>;
}

export function createPlainFetch(load: typeof fetch): PlainFetch {
  const encoding = signal<AnyEncoding>('messagepack');
  const state = signal<PlainState>({ phase: 'idle' });
  let runs = 0;

  async function run(): Promise<void> {
    const own = ++runs;
    state.value = { phase: 'running' };
    const next = await ask({ rows: ROWS, encoding: encoding.peek() }).catch((error: unknown) => ({ phase: 'failed' as const, error }));
    if (own === runs) state.value = next;
  }

  async function ask(query: { rows: number; encoding: AnyEncoding }): Promise<PlainState> {
    const started = performance.now();
    const response = await fetchOk(apiUrl(query), {}, load);
    const value: unknown = await response.json();
    const ms = performance.now() - started;
    // Requests the server's response past the service worker.
    const asSent = await fetchOk(payloadUrl(query), { method: 'HEAD' }, load);
    return { phase: 'done', sent: sideOf(asSent), received: sideOf(response), ms, rows: tripsOf(value) };
  }

  return { encoding, state, run };
}

function sideOf({ headers }: Response): Side {
  const length = headers.get('content-length');
  return { type: headers.get('content-type') ?? 'unknown type', bytes: length === null ? undefined : Number(length) };
}
