import type { FormatId } from '../../core/format/format-id.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';

/** The report of one decode. Times are in milliseconds; those of skipped steps are 0. */
export interface DecodeReport {
  /** Number of the decode on the page. */
  id: number;
  label: string | undefined;
  /** The URL of the response. */
  url: string | undefined;
  /** Undefined if it never became known. */
  format: FormatId | undefined;
  /** The name of the schema. */
  schema: string | undefined;
  as: ResultForm;
  /** The thread that decoded: this one, or a worker. */
  route: 'page' | 'worker';
  /** The reason for the route, in a few words. */
  why: string;
  /** True if row kernels (WebAssembly) have read records of the payload, in a worker. */
  kernel: boolean;
  /** Bytes of the payload. */
  bytes: number;
  /** Records in lists of records (in workers), or items of the longest list (on the page). */
  rows: number;
  /** Time of the call, as `performance.now()`. */
  startTime: number;
  /** From the call to the result. */
  duration: number;
  /** Reading the source to its end. */
  readMs: number;
  /** Waiting for a worker, and for code to load. */
  queueMs: number;
  /** To the worker and back. For a worker's first decode, most of the worker's start. */
  transferMs: number;
  /** The start of the last worker. */
  workerStartMs: number;
  /** Decoding. */
  decodeMs: number;
  /** Building the result of a worker's decode on this thread. */
  materialiseMs: number;
  /** Total time of this thread, and its longest slice. */
  mainMs: number;
  longestSliceMs: number;
  /** Why it failed. */
  error: { name: string; message: string } | undefined;
}

/** Shared by all copies of the library on a page, at `globalThis[Symbol.for('unspool')]`, for developer tools. */
export interface Registry {
  /** Version of this shape. */
  readonly version: 1;
  /** Open decoders by number. */
  readonly decoders: Map<number, WeakRef<EventTarget>>;
  /**
   * The last 256 to 512 decodes, oldest first. A report costs about as much as a small decode, so decodes that succeed at once
   * are left out, unless the decoder has a listener, its `measure` is true, or `everything` is.
   */
  readonly decodes: DecodeReport[];
  /** The schemas registered by name. */
  readonly schemas: { decoder: number; name: string; format: FormatId; schema: unknown }[];
  /** Bodies of recent large responses by the id of their decode, if a decoder keeps them (`keepBodies`). */
  readonly bodies: Map<number, ArrayBuffer>;
  /** Set to true to have every decode reported. */
  everything: boolean;
  /** The next number of a decoder, and of a decode. */
  nextDecoder: number;
  nextDecode: number;
}

const KEY = Symbol.for('unspool');
const MAX_DECODES = 512;

/** The page's registry, made on first use. */
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

/** Makes the report of a decode that begins now. */
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

/** Adds a report to the registry. */
export function recordDecode(to: Registry, report: DecodeReport): void {
  const { decodes } = to;
  if (decodes.length >= MAX_DECODES) decodes.splice(0, MAX_DECODES / 2);
  decodes.push(report);
}

/** Items of the longest array at the root of a plain result. */
export function countRows(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let rows = 0;
  // The elements of a typed array are keys, too, and may be millions.
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      if (Array.isArray(item) && item.length > rows && Object.hasOwn(value, key)) rows = item.length;
    }
  }
  return rows;
}
