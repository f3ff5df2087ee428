import type { ListForm } from '../../core/formats/format.ts';
import type { FormatId } from '../../core/formats/registry.ts';
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

/** What is known of a payload before it is decoded, and of the decoder. */
export interface RouteQuestion {
  /** What the caller asks for. */
  readonly route: Route;
  readonly as: ResultForm;
  readonly format: FormatId;
  /** Bytes in all; undefined where they are not known. */
  readonly bytes: number | undefined;
  /** What the schema or a look at the first records has shown; undefined where nothing could be seen. */
  readonly sample: ListForm | undefined;
  /** A worker is there to begin at once. */
  readonly ready: boolean;
  /** Milliseconds that a worker takes to start, as the last one did; undefined before one has. */
  readonly startMs: number | undefined;
}

/** Where a payload is decoded, and why, in a few words for people. */
export interface Choice {
  readonly route: 'page' | 'worker';
  readonly why: string;
  /** A worker would have been worth it, had one been there, and not for the first time: the next payload should find one. */
  readonly warm?: boolean;
}

/** What is measured: the page's own time, or all the time of a decode by a worker, by what it gives. */
type Way = 'page' | 'worker objects' | 'worker rows';

/** What a way has done for a format: decodes, their bytes, how many of them have counted, and the speed by these. */
interface Done {
  decodes: number;
  bytes: number;
  counted: number;
  speed?: number;
}

/** The formats that name each field in each record: those with a schema have fewer bytes for the same values. */
const NAMED: ReadonlySet<FormatId> = new Set<FormatId>(['json', 'messagepack', 'cbor', 'bson']);
/**
 * Decides where payloads are decoded, from the form asked for, a look at the first records, the size as far as it is known,
 * and what this page has measured so far. Nested values that must exist on the page are made there: to build them from a
 * worker's columns costs the page more than reading the bytes. Lists of regular records go to workers, since to build those
 * from columns costs the page a tenth to a fifth of reading them; rows and columns need no building.
 */
export class Router {
  /** Whether there are workers here. */
  readonly workers: boolean;
  /** By format and way. */
  readonly #done = new Map<string, Done>();
  /** Formats of payloads that were hardly records. */
  readonly #lacking = new Set<FormatId>();
  /** A worker was missed before. */
  #isMissed = false;

  constructor(workers: boolean) {
    this.workers = workers;
  }

  /**
   * Whether it may depend on the records where a payload is decoded: with cold code, a look at them takes as long as reading
   * a short payload does. The first payload of a format is looked at only if a worker could be worth it as things are; later
   * ones also to learn whether one should be started.
   */
  dependsOnRecords({ route, as, bytes, format, ready, startMs }: Omit<RouteQuestion, 'sample'>): boolean {
    if (!this.workers || route !== 'auto') return false;
    if (bytes === undefined) return true;
    const isFirst = !this.#done.has(`${format} page`);
    return this.#workerTime({ as, format, ready: ready || !isFirst, startMs }, bytes) <= worthOf(as, this.#pageTime(format, bytes));
  }

  /** Where to decode a payload. */
  choose(question: RouteQuestion): Choice {
    const { route, as, bytes, sample, ready, format } = question;
    if (!this.workers) return { route: 'page', why: 'there are no workers here' };
    if (route !== 'auto') return { route, why: 'asked for' };
    if (as === 'objects' && sample && !(sample.list && sample.flat && sample.regular)) {
      return { route: 'page', why: 'the records are nested or irregular' };
    }
    if (as !== 'objects' && sample && !(sample.list && sample.records)) {
      return { route: 'page', why: 'there are no records' };
    }
    if (bytes === undefined) {
      if (as === 'objects' && !sample) return { route: 'page', why: 'the records could not be seen' };
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
    // Of objects, what the records are like decides.
    const isMissed = !ready && (as !== 'objects' || sample !== undefined) && this.#workerTime({ ...question, ready: true }, bytes) <= worth;
    const warm = isMissed && this.#isMissed;
    this.#isMissed ||= isMissed;
    return { route: 'page', why, warm };
  }

  /** A worker has found hardly any records in a payload of that format. */
  lacksRecords(format: FormatId): void {
    this.#lacking.add(format);
  }

  /** Whether payloads of a format may be hardly records, so that it is worth to load its code here and look at the first ones. */
  mayLackRecords(format: FormatId): boolean {
    return this.#lacking.has(format);
  }

  /** Learns from a decode that has succeeded. */
  learn({ format, route, bytes, decodeMs, duration, readMs, queueMs, as, error }: DecodeReport): void {
    if (!format || error || bytes < MIN_MEASURED_BYTES) return;
    const way = route === 'page' ? 'page' : wayOf(as);
    const key = `${format} ${way}`;
    const done = this.#done.get(key) ?? { decodes: 0, bytes: 0, counted: 0 };
    this.#done.set(key, done);
    const isWarm = done.decodes >= WARM_UP_DECODES && done.bytes >= WARM_UP_BYTES;
    done.decodes += 1;
    done.bytes += bytes;
    // Of a source that a worker reads meanwhile, the worker's own time is all that is known.
    const time = route === 'page' ? decodeMs : Math.max(decodeMs, duration - readMs - queueMs - OVERHEAD_MS[as]);
    const speed = bytes / Math.max(time, 0.1);
    const before = this.speed(format, way);
    const isFaster = speed > before;
    // The page's first decodes may still show that it is faster than was thought: the engine's parser needs no warm-up.
    if (!isWarm && !(isFaster && way === 'page')) return;
    if (isWarm) done.counted += 1;
    const share = Math.max(isFaster ? FASTER_WEIGHT : SLOWER_WEIGHT, isWarm ? 1 / (done.counted + 1) : 0);
    done.speed = before + (speed - before) * share;
  }

  /**
   * Bytes a millisecond of a format: as measured here, or as elsewhere before. Where the page is faster than was thought, so
   * is a worker.
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

  /** A worker that is there is thought to be warm: it will be, once it gets payloads. */
  #workerTime({ ready, startMs = START_MS, as, format }: Pick<RouteQuestion, 'ready' | 'startMs' | 'as' | 'format'>, bytes: number): number {
    const way = wayOf(as);
    const cold = ready || this.#done.has(`${format} ${way}`) ? 0 : coldBytes(bytes);
    return (ready ? 0 : startMs) + OVERHEAD_MS[as] + (bytes + cold) / this.speed(format, way);
  }

  /** A way that was slow is tried again some time. */
  #forget(format: FormatId, way: Way): void {
    const done = this.#done.get(`${format} ${way}`);
    const first = firstSpeed(format, way);
    if (done?.speed !== undefined && done.speed < first) done.speed += (first - done.speed) * FORGOTTEN_SHARE;
  }
}

function wayOf(as: ResultForm): Way {
  return as === 'objects' ? 'worker objects' : 'worker rows';
}

/** How many milliseconds a worker may take for what takes the page so many. */
function worthOf(as: ResultForm, pageMs: number): number {
  return pageMs < MIN_WORKER_MS ? 0 : pageMs * WORTH[as];
}

function firstSpeed(format: FormatId, way: Way): number {
  return FIRST_SPEEDS[NAMED.has(format) ? 'named' : 'schema'][way];
}

/** What reading with cold code takes besides, in bytes read with warm code: it is warm after the first few megabytes. */
function coldBytes(bytes: number): number {
  return (COLD_FACTOR - 1) * Math.min(bytes, COLD_BYTES);
}
