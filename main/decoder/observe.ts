import type { FormatId } from '../../core/formats/registry.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Slicer } from '../slicing/slicer.ts';

/** The report of one decode. Times are in milliseconds; those of skipped steps are 0. */
export interface DecodeReport {
  /** Counts the decodes of the page. */
  id: number;
  label: string | undefined;
  /** Where the response came from. */
  url: string | undefined;
  /** Undefined where it was never known. */
  format: FormatId | undefined;
  /** The name of the schema. */
  schema: string | undefined;
  as: ResultForm;
  /** Where it was decoded: on this thread, or in a worker. */
  route: 'page' | 'worker';
  /** Why there, in a few words. */
  why: string;
  /** Whether row kernels (WebAssembly) have read records of it, in a worker. */
  kernel: boolean;
  /** Bytes of the payload. */
  bytes: number;
  /** Records in lists of records (in workers), or items of the longest list (on the page). */
  rows: number;
  /** When `decode` was called, as `performance.now()`. */
  startTime: number;
  /** From the call to the result. */
  duration: number;
  /** Reading the source to its end. */
  readMs: number;
  /** Waiting for a worker, and for code to load. */
  queueMs: number;
  /** To the worker and back. For a worker's first decode this is most of its start. */
  transferMs: number;
  /** What the last worker took to start. */
  workerStartMs: number;
  /** Decoding. */
  decodeMs: number;
  /** Building the result of a worker's decode on this thread. */
  materialiseMs: number;
  /** What this thread has spent on the decode in all, and the longest time without a break. */
  mainMs: number;
  longestSliceMs: number;
  /** Why it failed. */
  error: { name: string; message: string } | undefined;
}

/**
 * What all copies of the library on a page have put at `globalThis[Symbol.for('unspool')]`, for developer tools.
 */
export interface Registry {
  /** Version of this shape. */
  readonly version: 1;
  /** Decoders that are not closed, by number. */
  readonly decoders: Map<number, WeakRef<EventTarget>>;
  /**
   * The last decodes, oldest first: between 256 and 512 once there were as many. A report costs about as much as a small
   * decode, so those that succeed at once, in place, are left out unless somebody listens to the decoder, its `measure`
   * is true, or `everything` is.
   */
  readonly decodes: DecodeReport[];
  /** The schemas registered by name. */
  readonly schemas: { decoder: number; name: string; format: FormatId; schema: unknown }[];
  /** Bodies of recent large responses by the id of their decode, where a decoder keeps them (`keepBodies`). */
  readonly bodies: Map<number, ArrayBuffer>;
  /** To be set to true where every decode is to be reported. */
  everything: boolean;
  /** The next number for a decoder, and for a decode. */
  nextDecoder: number;
  nextDecode: number;
}

const KEY = Symbol.for('unspool');
const MOST_DECODES = 512;

/** The page's registry, made when it is first needed. */
export function registry(): Registry {
  const holder = globalThis as { [KEY]?: Registry };
  return (holder[KEY] ??= {
    version: 1,
    decoders: new Map(),
    decodes: [],
    schemas: [],
    bodies: new Map(),
    everything: false,
    nextDecoder: 1,
    nextDecode: 1,
  });
}

/** The report of a decode that begins now. */
export function newReport({ label, as = 'objects' }: { label?: string | undefined; as?: ResultForm | undefined }): DecodeReport {
  return {
    id: registry().nextDecode++,
    label,
    url: undefined,
    format: undefined,
    schema: undefined,
    as,
    route: 'page',
    why: '',
    kernel: false,
    bytes: 0,
    rows: 0,
    startTime: performance.now(),
    duration: 0,
    readMs: 0,
    queueMs: 0,
    transferMs: 0,
    workerStartMs: 0,
    decodeMs: 0,
    materialiseMs: 0,
    mainMs: 0,
    longestSliceMs: 0,
    error: undefined,
  };
}

/** The work of a slicer, which is all that the page spends on a decode of its own. */
export function timesOf({ total, longest }: Slicer): Pick<DecodeReport, 'decodeMs' | 'mainMs' | 'longestSliceMs'> {
  return { decodeMs: total, mainMs: total, longestSliceMs: longest };
}

/** Of bodies that are kept: the least size, and the number. */
const LARGE_BODY = 8 * 1024 * 1024;
const MOST_BODIES = 3;

/** Keeps a copy of a large body. */
export function recordBody(id: number, bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length < LARGE_BODY) return;
  const { bodies } = registry();
  bodies.set(id, bytes.slice().buffer);
  for (const oldest of bodies.keys()) {
    if (bodies.size <= MOST_BODIES) break;
    bodies.delete(oldest);
  }
}

/** Enters a decode. */
export function recordDecode(to: Registry, report: DecodeReport): void {
  const { decodes } = to;
  if (decodes.length >= MOST_DECODES) decodes.splice(0, MOST_DECODES / 2);
  decodes.push(report);
}

/** Marks a decode in the browser's Performance panel, in a track of its own. */
export function measureDecode(report: DecodeReport): void {
  const { label, format, startTime, duration, bytes, rows, error } = report;
  const name = `decode ${label ?? format ?? ''}`;
  const times = ['readMs', 'queueMs', 'transferMs', 'decodeMs', 'materialiseMs', 'mainMs', 'longestSliceMs'] as const;
  const devtools = {
    dataType: 'track-entry',
    track: 'Unspool',
    color: error ? 'error' : 'primary',
    // Not `toLocaleString`: its first call took Chromium 25 to 55 ms.
    tooltipText: `${format ?? 'unknown'}, ${bytes} bytes, ${rows} rows`,
    properties: [
      ['route', report.route],
      ['why', report.why],
      ...times.map((key) => [key, report[key].toFixed(1)]),
      ...(error ? [['error', error.message]] : []),
    ],
  };
  performance.measure(name, { start: startTime, duration, detail: { report, devtools } });
  // Observers and the panel have it by now; the page's own list would grow without end.
  performance.clearMeasures(name);
}

/** Items of the longest array at the root of a result that is plain. */
export function countRows(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let rows = 0;
  // The elements of a typed array are keys as well, and may be millions.
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      if (Array.isArray(item) && item.length > rows) rows = item.length;
    }
  }
  return rows;
}
