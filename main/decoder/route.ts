import type { FormatId } from '../../worker/formats/registry.ts';
import type { Sample } from '../in-place/sample.ts';
import type { ResultForm } from '../materialise/index.ts';
import type { DecodeReport } from './observe.ts';
import type { Route } from './options.ts';

/** What is known of a payload before it is decoded, and of the decoder. */
export interface RouteQuestion {
  /** What the caller asks for. */
  readonly route: Route;
  readonly as: ResultForm;
  readonly format: FormatId;
  /** Bytes in all; undefined where they are not known. */
  readonly bytes: number | undefined;
  /** What a look at the first records has shown; undefined where nothing could be seen. */
  readonly sample: Pick<Sample, 'list' | 'flat' | 'regular'> | undefined;
  /** A worker is there to begin at once. */
  readonly ready: boolean;
  /** Milliseconds that a worker takes to start, as the last one did; undefined before one has. */
  readonly startMs: number | undefined;
}

/** Where a payload is decoded, and why, in a few words for people. */
export interface Choice {
  readonly route: 'page' | 'worker';
  readonly why: string;
}

/** What a step is measured by: where it is done. */
type Step = 'page' | 'worker' | 'build';

/**
 * Bytes a millisecond before anything was measured, of JSON and of the other formats: read on the page (by the engine; by
 * the readers), read into columns by a worker, built from columns. Cold, everything takes several times as long.
 */
const FIRST_SPEEDS: Readonly<Record<'json' | 'other', Readonly<Record<Step, number>>>> = {
  json: { page: 250_000, worker: 220_000, build: 700_000 },
  other: { page: 120_000, worker: 150_000, build: 400_000 },
};
/** How much slower the readers' first payload is than later ones. The engine's own parser is warm from the start. */
const COLD = 3;
/** Milliseconds that a worker takes to start where none has yet, with the request for its script. */
const START_MS = 90;
/** Milliseconds that a decode by a worker takes besides the bytes: messages there and back. */
const MESSAGES_MS = 2;
/** Payloads of fewer bytes say nothing of speed. */
const LEAST_MEASURED = 64 * 1024;
/** How much the last payload counts against those before it. */
const NEW = 0.4;
/**
 * How much longer a worker may take than the page: what it takes, the page is free for. Of objects, the page still has to
 * build each.
 */
const WORTH: Readonly<Record<ResultForm, number>> = { objects: 1.1, rows: 1.5, columns: 1.5 };

/**
 * Decides where payloads are decoded, from the form asked for, a look at the first records, the size as far as it is known,
 * and what this page has measured so far. Nested values that must exist on the page are made there: to build them from a
 * worker's columns costs the page more than reading the bytes. Lists of regular records go to workers, since to build those
 * from columns costs the page a tenth to a fifth of reading them; rows and columns need no building.
 */
export class Router {
  /** Whether there are workers here. */
  readonly workers: boolean;
  readonly #speeds = new Map<string, number>();

  constructor(workers: boolean) {
    this.workers = workers;
  }

  /** Where to decode a payload. */
  choose(question: RouteQuestion): Choice {
    const { route, as, bytes, sample } = question;
    if (!this.workers) return { route: 'page', why: 'there are no workers here' };
    if (route !== 'auto') return { route, why: 'asked for' };
    if (as === 'objects' && sample && !(sample.list && sample.flat && sample.regular)) {
      return { route: 'page', why: 'the records are nested or irregular' };
    }
    if (bytes === undefined) {
      if (as === 'objects' && !sample) return { route: 'page', why: 'the records could not be seen' };
      return { route: 'worker', why: 'the size is not known' };
    }
    const page = this.#time(question, 'page', bytes);
    const worker = this.#workerTime(question, bytes);
    const estimate = `about ${Math.ceil(worker)} ms in a worker, ${Math.ceil(page)} ms on the page`;
    return { route: worker <= page * WORTH[as] ? 'worker' : 'page', why: estimate };
  }

  /** Learns from a decode that has succeeded. */
  learn({ format, route, bytes, decodeMs, materialiseMs, as, error }: DecodeReport): void {
    if (!format || error || bytes < LEAST_MEASURED) return;
    this.#measured(format, route, bytes / Math.max(decodeMs, 0.1));
    if (route === 'worker' && as === 'objects') this.#measured(format, 'build', bytes / Math.max(materialiseMs, 0.1));
  }

  /** Bytes a millisecond that a format is read at in a place: as measured here, or as elsewhere before. */
  speed(format: FormatId, step: Step): number {
    return this.#speeds.get(`${format} ${step}`) ?? FIRST_SPEEDS[format === 'json' ? 'json' : 'other'][step];
  }

  #workerTime(question: RouteQuestion, bytes: number): number {
    const { ready, startMs = START_MS, as } = question;
    // A part is built while the worker reads the next.
    const build = as === 'objects' ? this.#time(question, 'build', bytes) / 2 : 0;
    return (ready ? 0 : startMs) + MESSAGES_MS + this.#time(question, 'worker', bytes) + build;
  }

  /** Milliseconds for so many bytes. */
  #time({ format }: RouteQuestion, step: Step, bytes: number): number {
    const isWarm = this.#speeds.has(`${format} ${step}`) || (format === 'json' && step === 'page');
    // The readers are warm after the first few megabytes.
    const slow = isWarm ? 0 : (COLD - 1) * Math.min(bytes, 2_000_000);
    return (bytes + slow) / this.speed(format, step);
  }

  #measured(format: FormatId, step: Step, speed: number): void {
    const key = `${format} ${step}`;
    const before = this.#speeds.get(key);
    this.#speeds.set(key, before === undefined ? speed : before * (1 - NEW) + speed * NEW);
  }
}
