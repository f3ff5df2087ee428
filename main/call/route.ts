import { isDecodedHere } from '../../core/platform/own-codecs.ts';
import type { ListForm } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { ResultForm } from '../rows/form.ts';
import type { DecodeReport } from './observe.ts';
import type { Route } from './options/options.ts';
import {
  COLD_BYTES,
  COLD_FACTOR,
  FASTER_WEIGHT,
  FIRST_SPEEDS,
  FORGOTTEN_SHARE,
  MIN_MEASURED_BYTES,
  MIN_WORKER_MS,
  OVERHEAD_MS,
  SLOWER_WEIGHT,
  START_MS,
  WARM_UP_BYTES,
  WARM_UP_DECODES,
  WORTH,
} from './tuning.ts';

/** Facts about a payload before it is decoded, and about the decoder. */
export interface RouteQuestion {
  /** Options of the call. */
  readonly route: Route;
  readonly as: ResultForm;
  readonly format: FormatId;
  /** Size of the payload in bytes; undefined if unknown. */
  readonly bytes: number | undefined;
  /** Form of the list, by the schema or the first records; undefined if these show none. */
  readonly sample: ListForm | undefined;
  /** True if a worker can begin immediately. */
  readonly ready: boolean;
  /** Milliseconds that the last worker took to start; undefined before the first. */
  readonly startMs: number | undefined;
}

/** Where a payload is decoded, and why, in a few words for display. */
export interface Choice {
  readonly route: 'page' | 'worker';
  readonly why: string;
  /** True if a ready worker would have been faster, for the second time: one should start for the next payload. */
  readonly warm?: boolean;
}

/** Code paths whose speed is measured: by the page's own time, or by the total time of a worker's decode. */
type Way = 'page' | 'worker objects' | 'worker rows';

/** Record of a code path for a format: decodes, their bytes, the number of decodes that count, and the speed by these. */
interface Done {
  decodes: number;
  bytes: number;
  counted: number;
  speed?: number;
}

/** The formats that name each field in each record. */
const NAMED: ReadonlySet<FormatId> = new Set<FormatId>(['json', 'messagepack', 'cbor', 'bson', 'protojson']);
/**
 * Chooses between the page and a worker, by the form asked for, the first records, the size if known, and the speeds that this
 * page has measured. Nested values are made on the page: building them from a worker's columns costs the page more than
 * reading the bytes. Lists of regular records go to workers, since the page builds those from columns much faster than it
 * reads them; rows and columns need no building.
 */
export class Router {
  /** True if workers can be created. */
  readonly workers: boolean;
  /** By format and code path. */
  readonly #done = new Map<string, Done>();
  /** Formats of payloads that were mostly not tabular. */
  readonly #notTabular = new Set<FormatId>();
  /** True if an earlier payload would have gone to a ready worker. */
  #isMissed = false;

  constructor(workers: boolean) {
    this.workers = workers;
  }

  /**
   * True if the choice may depend on the records. With cold code, looking at them takes as long as reading a short payload:
   * the first payload of a format is looked at only if a worker could be faster as things are, later ones also to learn
   * whether to start one.
   */
  dependsOnRecords({ route, as, bytes, format, ready, startMs }: Omit<RouteQuestion, 'sample'>): boolean {
    if (!this.workers || route !== 'auto') return false;
    if (bytes === undefined) return true;
    const isFirst = !this.#done.has(`${format} page`);
    return this.#workerTime({ as, format, ready: ready || !isFirst, startMs }, bytes) <= worthOf(as, this.#pageTime(format, bytes));
  }

  /** Chooses where to decode a payload. */
  choose(question: RouteQuestion): Choice {
    const { route, as, bytes, sample, ready, format } = question;
    if (!this.workers || isDecodedHere(format)) return { route: 'page', why: 'no worker here can decode it' };
    if (route !== 'auto') return { route, why: 'asked for' };
    if (as === 'objects' && sample && !(sample.list && sample.flat && sample.regular)) {
      return { route: 'page', why: 'the records are nested or irregular' };
    }
    if (as !== 'objects' && sample && !(sample.list && sample.records)) {
      return { route: 'page', why: 'there are no records' };
    }
    if (bytes === undefined) {
      if (as === 'objects' && !sample) return { route: 'page', why: 'the size is not known' };
      return { route: 'worker', why: 'the size is not known' };
    }
    const page = this.#pageTime(format, bytes);
    const worker = this.#workerTime(question, bytes);
    const why = `about ${Math.ceil(worker)} ms in a worker, ${Math.ceil(page)} ms on the page`;
    const worth = worthOf(as, page);
    if (worker <= worth) {
      this.#forget(format, 'page');
      return { route: 'worker', why };
    }
    this.#forget(format, wayOf(as));
    // For objects, the form of the records decides.
    const isMissed = !ready && (as !== 'objects' || sample !== undefined) && this.#workerTime({ ...question, ready: true }, bytes) <= worth;
    const warm = isMissed && this.#isMissed;
    this.#isMissed ||= isMissed;
    return { route: 'page', why, warm };
  }

  /** Notes that a worker has found mostly non-tabular data in a payload of the format. */
  noteNoRecords(format: FormatId): void {
    this.#notTabular.add(format);
  }

  /** True if payloads of the format may be mostly not tabular: loading its code on the page to look at the first records is worth it. */
  mayLackRecords(format: FormatId): boolean {
    return this.#notTabular.has(format);
  }

  /** Learns from a decode that has succeeded. */
  learn({ format, route, bytes, decodeMs, duration, readMs, queueMs, as, error }: DecodeReport): void {
    // A comparison with a previous value decodes nothing.
    if (!format || error || bytes < MIN_MEASURED_BYTES || (route === 'page' && !decodeMs)) return;
    const way = route === 'page' ? 'page' : wayOf(as);
    const key = `${format} ${way}`;
    const done = this.#done.get(key) ?? { decodes: 0, bytes: 0, counted: 0 };
    this.#done.set(key, done);
    const isWarm = done.decodes >= WARM_UP_DECODES && done.bytes >= WARM_UP_BYTES;
    done.decodes += 1;
    done.bytes += bytes;
    // If the source arrives during the decode, only the worker's own time is known.
    const time = route === 'page' ? decodeMs : Math.max(decodeMs, duration - readMs - queueMs - OVERHEAD_MS[as]);
    const speed = bytes / Math.max(time, 0.1);
    const before = this.speed(format, way);
    const isFaster = speed > before;
    // The page's first decodes count if they are faster than expected: the engine's parser needs no warm-up.
    if (!isWarm && !(isFaster && way === 'page')) return;
    if (isWarm) done.counted += 1;
    const share = Math.max(isFaster ? FASTER_WEIGHT : SLOWER_WEIGHT, isWarm ? 1 / (done.counted + 1) : 0);
    done.speed = before + (speed - before) * share;
  }

  /**
   * Bytes per millisecond of a format: as measured here, or else as expected. Before its first measurement, a worker is
   * assumed to beat its estimate by the same factor as the page.
   */
  speed(format: FormatId, way: Way): number {
    const measured = this.#done.get(`${format} ${way}`)?.speed;
    if (measured !== undefined || way === 'page') return measured ?? firstSpeed(format, way);
    return (firstSpeed(format, way) * this.speed(format, 'page')) / firstSpeed(format, 'page');
  }

  #pageTime(format: FormatId, bytes: number): number {
    const isCold = format !== 'json' && !this.#done.has(`${format} page`);
    return (bytes + (isCold ? coldBytes(bytes) : 0)) / this.speed(format, 'page');
  }

  /** Assumes that a ready worker is warm: it will be, once it gets payloads. */
  #workerTime({ ready, startMs = START_MS, as, format }: Pick<RouteQuestion, 'ready' | 'startMs' | 'as' | 'format'>, bytes: number): number {
    const way = wayOf(as);
    const cold = ready || this.#done.has(`${format} ${way}`) ? 0 : coldBytes(bytes);
    return (ready ? 0 : startMs) + OVERHEAD_MS[as] + (bytes + cold) / this.speed(format, way);
  }

  /** Moves a slow code path's speed back towards its first value, so that it is tried again. */
  #forget(format: FormatId, way: Way): void {
    const done = this.#done.get(`${format} ${way}`);
    const first = firstSpeed(format, way);
    if (done?.speed !== undefined && done.speed < first) done.speed += (first - done.speed) * FORGOTTEN_SHARE;
  }
}

function wayOf(as: ResultForm): Way {
  return as === 'objects' ? 'worker objects' : 'worker rows';
}

/** Milliseconds that a worker may take for a payload that takes the page `pageMs`. */
function worthOf(as: ResultForm, pageMs: number): number {
  return pageMs < MIN_WORKER_MS ? 0 : pageMs * WORTH[as];
}

function firstSpeed(format: FormatId, way: Way): number {
  return FIRST_SPEEDS[NAMED.has(format) ? 'named' : 'schema'][way];
}

/** Extra time of cold code, as bytes that warm code reads in that time. */
function coldBytes(bytes: number): number {
  return (COLD_FACTOR - 1) * Math.min(bytes, COLD_BYTES);
}
