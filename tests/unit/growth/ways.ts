import { readSpans } from '../../../devtools-extension/reading/spans/read-spans.ts';
import { Materialiser } from '../../../main/rows/materialise.ts';
import { reviveCore } from '../../../core/reading/revive.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { type Limits, resolveLimits } from '../../../core/limits.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import { JsonTextSink } from '../../../core/sinks/json/text.ts';
import { ObjectSink, shapeOf } from '../../../core/sinks/objects/objects.ts';

/** Payload with its format, options and schema. */
export interface Payload {
  id: FormatId;
  format: AnyFormat;
  bytes: Uint8Array;
  options?: object | undefined;
  schema?: unknown;
  limits?: Partial<Limits> | undefined;
}

/** Way to decode: the sink for the reader's events, and the chunks of the input. */
export interface Way {
  name: string;
  decode: (payload: Payload) => unknown;
}

const CHUNK = 16;

function read({ format, bytes, options, schema, limits }: Payload, sink: Sink, chunk = Infinity): void {
  const reader = format.createReader(sink, options ?? {}, resolveLimits(limits), schema);
  if (chunk >= bytes.length) {
    reader.end(bytes);
    return;
  }
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  reader.end();
}

function intoObjects(payload: Payload, chunk?: number): unknown {
  const sink = new ObjectSink((tag, inner) => payload.format.revive?.(tag, inner));
  read(payload, sink, chunk);
  return sink.result;
}

/** Decodes into columns, then into the objects that the page makes from them. */
async function intoColumns(payload: Payload, chunk?: number): Promise<unknown> {
  const revive = (tag: string, inner: unknown): unknown => (tag.includes(':') ? payload.format.revive?.(tag, inner) : reviveCore(tag, inner));
  const materialiser = new Materialiser({ as: 'objects', revive });
  const sink = new RowSink((part) => materialiser.push(part), resolveLimits(payload.limits));
  read(payload, sink, chunk);
  sink.finish();
  return materialiser.done();
}

function intoJson(payload: Payload): unknown {
  const sink = new JsonTextSink((tag, inner) => payload.format.revive?.(tag, inner));
  read(payload, sink);
  return sink.take();
}

/** Decodes into spans. The panel shows everything up to an error, then the error. */
async function intoSpans({ id, bytes, options, schema }: Payload): Promise<unknown> {
  return (await readSpans(bytes, { format: id, ...(options && { options }), schema })).data;
}

export const WAYS: readonly Way[] = [
  { name: 'objects', decode: (payload) => intoObjects(payload) },
  { name: 'objects, in small chunks', decode: (payload) => intoObjects(payload, CHUNK) },
  { name: 'columns', decode: (payload) => intoColumns(payload) },
  { name: 'columns, in small chunks', decode: (payload) => intoColumns(payload, CHUNK) },
  { name: 'JSON', decode: intoJson },
  { name: 'the ranges of the panel', decode: intoSpans },
];

/** Decodes at once, as for small payloads. */
export function plain({ format, bytes, options, schema, limits }: Payload): unknown {
  return format.decodeAtOnce?.(bytes, options ?? {}, resolveLimits(limits), schema, shapeOf);
}

/**
 * Pairs each item of a list with each of another. After `npm test`, `--rest` pairs it with one of them, in turn. `start` is the place of the
 * first, so that lists that begin at different places pair the same items with others.
 */
export function inTurn<One, Other>(list: readonly One[], others: readonly Other[], start = 0): { one: One; other: Other }[] {
  const count = process.env['UNSPOOL_TIER'] === 'rest' ? 1 : others.length;
  return list.flatMap((one, index) => Array.from({ length: count }, (_, more) => ({ one, other: others[(start + index + more) % others.length]! })));
}
