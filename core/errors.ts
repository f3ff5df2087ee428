import { brandInstances } from './instanceof-brand.ts';

/**
 * Why a decode failed. `truncated`: the input ends inside a value. `trailing-bytes`: bytes follow the value.
 * `no-list`: there is no list at the `path` of `batches`.
 */
export type DecodeErrorCode =
  | 'truncated'
  | 'trailing-bytes'
  | 'malformed'
  | 'invalid-utf8'
  | 'unsupported'
  | 'unknown-format'
  | 'empty'
  | 'detached'
  | 'no-list';

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
  const place = [format, offset === undefined ? undefined : `byte ${offset}`, path?.length ? `at ${formatPath(path)}` : undefined].filter(
    (part) => part !== undefined,
  );
  return place.length ? `${reason} (${place.join(', ')})` : reason;
}

/** Base class of the errors that know their place in the input. */
export abstract class PlacedError extends Error {
  format: string | undefined;
  offset: number | undefined;
  path: (string | number)[] | undefined;
  /** The message without the place. */
  readonly reason: string;

  constructor(reason: string, place: ErrorPlace = {}) {
    super(reason);
    this.reason = reason;
    this.format = place.format;
    this.offset = place.offset;
    this.path = place.path;
    this.message = describe(reason, place);
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

/** The input is not a valid value of its format. */
export class DecodeError extends PlacedError {
  override name = 'DecodeError';
  readonly code: DecodeErrorCode;

  constructor(code: DecodeErrorCode, reason: string, place?: ErrorPlace) {
    super(reason, place);
    this.code = code;
  }
}

/** The limit that was exceeded: a key of `Limits`, or `queue` for `DecoderOptions.queueLimit`. */
export type LimitName = 'bytes' | 'depth' | 'values' | 'stringLength' | 'binaryLength' | 'expansion' | 'queue';

/** The input exceeds a limit. */
export class LimitError extends PlacedError {
  override name = 'LimitError';
  readonly code = 'limit';
  readonly limit: LimitName;

  constructor(limit: LimitName, reason: string, place?: ErrorPlace) {
    super(reason, place);
    this.limit = limit;
  }
}

/** A schema is missing, invalid, or does not fit the payload. */
export class SchemaError extends PlacedError {
  override name = 'SchemaError';
  readonly code = 'schema';
  /** The schema's registered name, if it has one. */
  readonly schema: string | undefined;

  constructor(reason: string, schema?: string, place?: ErrorPlace) {
    super(reason, place);
    this.schema = schema;
  }
}

/**
 * Why a value cannot be encoded. `unsupported`: the format cannot represent it, a function for example. `range`: the
 * number does not fit its type. `type`: the value does not match the schema. `missing`: a required field is absent.
 * `text`: a string has a lone surrogate. `unknown`: a key is not in the schema. `cycle`: a value contains itself.
 * `depth`: containers are nested deeper than the limit. `thrown`: a getter or an iterator threw (the error is the
 * `cause`). `changed`: a list or object changed between two slices.
 */
export type EncodeErrorCode = 'unsupported' | 'range' | 'type' | 'missing' | 'unknown' | 'text' | 'cycle' | 'depth' | 'thrown' | 'changed';

/** A value cannot be written in the format. */
export class EncodeError extends PlacedError {
  override name = 'EncodeError';
  readonly code: EncodeErrorCode;

  constructor(code: EncodeErrorCode, reason: string, { cause, ...place }: Omit<ErrorPlace, 'offset'> & { cause?: unknown } = {}) {
    super(reason, place);
    this.code = code;
    if (cause !== undefined) this.cause = cause;
  }
}

/** A worker died or could not be loaded; all its calls reject with this error. */
export class WorkerCrashError extends Error {
  override name = 'WorkerCrashError';
  readonly code = 'worker-crash';
}

/** A call took longer than its `timeout`, or no byte of its source arrived for `stallTimeout`. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
  readonly code = 'timeout';
}

/** The payload could not be read to its end: the connection broke, or the body was shorter or longer than announced. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly code = 'network';
  /** Number of bytes that arrived. */
  readonly receivedBytes: number;
  /** The HTTP status of the response; undefined for other sources. */
  readonly status: number | undefined;

  constructor(reason: string, receivedBytes: number, { cause, status }: { cause?: unknown; status?: number | undefined } = {}) {
    super(reason, { cause });
    this.receivedBytes = receivedBytes;
    this.status = status;
  }
}

for (const [name, kind] of Object.entries({
  PlacedError,
  DecodeError,
  EncodeError,
  LimitError,
  SchemaError,
  WorkerCrashError,
  TimeoutError,
  NetworkError,
})) {
  brandInstances(name, kind);
}
