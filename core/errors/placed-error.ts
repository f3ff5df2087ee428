import { brandInstances } from '../instanceof-brand.ts';
import { CallError } from './call-error.ts';

/** The place of an error in the input and in the value. */
export interface ErrorPlace {
  /** The format's id; absent if the format was not known yet. */
  format?: string | undefined;
  /** Byte offset from the start of the input. */
  offset?: number | undefined;
  /** Keys and indices from the root to the value being read. */
  path?: (string | number)[] | undefined;
}

/** Steps shown at each end of a path, and characters shown of a key. */
const SHOWN_STEPS = 6;
const SHOWN_CHARACTERS = 60;

/** Formats a path as `$.trips[3].name`. The middle of a long path and the end of a long key are left out. */
export function formatPath(path: readonly (string | number)[]): string {
  const left = path.length - 2 * SHOWN_STEPS;
  if (left <= 1) return `$${path.map(formatStep).join('')}`;
  return `$${path.slice(0, SHOWN_STEPS).map(formatStep).join('')} … ${left} more … ${path.slice(-SHOWN_STEPS).map(formatStep).join('')}`;
}

function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  const key = step.length > SHOWN_CHARACTERS ? `${step.slice(0, SHOWN_CHARACTERS)}…` : step;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function describe(reason: string, { format, offset, path }: ErrorPlace): string {
  const place = [format, offset !== undefined && `byte ${offset}`, path?.length && `at ${formatPath(path)}`].filter(Boolean);
  return place.length ? `${reason} (${place.join(', ')})` : reason;
}

/** Base class of the errors that know their place in the input. */
export abstract class PlacedError extends CallError {
  format: string | undefined;
  offset: number | undefined;
  path: (string | number)[] | undefined;
  /** The message without the place. */
  readonly reason: string;

  constructor(reason: string, place: ErrorPlace = {}) {
    super(reason);
    this.reason = reason;
    this.locate(place);
  }

  /** @internal Adds the parts of the place that the thrower did not know. */
  locate(place: ErrorPlace): this {
    this.format ??= place.format;
    this.offset ??= place.offset;
    this.path ??= place.path;
    this.message = describe(this.reason, this);
    return this;
  }
}

brandInstances('PlacedError', PlacedError);
