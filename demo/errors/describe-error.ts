import { DecodeError, LimitError, NetworkError, TimeoutError, WorkerCrashError } from 'unspool';
import { ConnectionError, HttpError } from '../payloads/load-blob.ts';
import { formatCount } from '../ui/numbers.ts';
import { WrongPayloadError } from '../payloads/trips.ts';

/** Description of an error for the visitor. */
export interface ErrorDescription {
  title: string;
  /** Description in one or two sentences. */
  text: string;
  details: { label: string; value: string }[];
  /** Suggested action. */
  hint?: string;
  /** Byte offset of the error in the payload. */
  offset?: number;
}

/** An error of another page, as that page described it. */
export class DescribedError extends Error {
  override name = 'DescribedError';
  readonly description: ErrorDescription;

  constructor(description: ErrorDescription) {
    super(description.title);
    this.description = description;
  }
}

/** Describes an error. `by`: title of the contender that failed. */
export function describeError(error: unknown, by = 'The decoder'): ErrorDescription {
  if (error instanceof DescribedError) return error.description;
  if (error instanceof ConnectionError) {
    return {
      title: 'The payload server cannot be reached',
      text: 'It did not respond, or the connection broke during the response.',
      details: [{ label: 'Address', value: error.url }],
      hint: 'Start it with “npm start” and try again.',
    };
  }
  if (error instanceof HttpError) {
    return {
      title: `The server answered ${error.status} instead of a payload`,
      text: error.message,
      details: [{ label: 'Address', value: error.url }],
      hint: 'Choose another size or encoding, or look at the server’s output.',
    };
  }
  if (error instanceof DecodeError || error instanceof LimitError) return describeDecodeError(error);
  if (error instanceof NetworkError) {
    return {
      title: 'The connection broke during the response',
      text: 'The bytes received before were decoded; the rest is missing.',
      details: [],
      hint: 'Try again.',
    };
  }
  if (error instanceof WrongPayloadError) {
    return {
      title: 'The decoded payload is not a list of trips',
      text: `${error.message} ${by} noticed nothing wrong with the bytes.`,
      details: [],
    };
  }
  if (error instanceof WorkerCrashError || error instanceof TimeoutError) {
    return {
      title: error instanceof TimeoutError ? 'Decoding took too long' : 'The worker stopped',
      text: error.message,
      details: [],
      hint: 'The next run starts a new worker.',
    };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    title: `${by} cannot decode the payload`,
    text: message,
    details: [{ label: 'Error', value: name }],
  };
}

function describeDecodeError(error: DecodeError | LimitError): ErrorDescription {
  const { format, offset, path, reason, code } = error;
  const details = [{ label: 'Code', value: error instanceof LimitError ? `${code}: ${error.limit}` : code }];
  if (format !== undefined) details.push({ label: 'Format', value: format });
  if (offset !== undefined) details.push({ label: 'Byte', value: formatCount(offset) });
  if (path !== undefined) details.push({ label: 'Path', value: formatPath(path) });
  return {
    title: TITLES[code] ?? 'The payload cannot be decoded',
    text: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`,
    details,
    ...(offset !== undefined && { offset }),
  };
}

/** `$.trips[3].name` */
function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$');
}

const TITLES: Record<string, string> = {
  truncated: 'The payload ends too early',
  'trailing-bytes': 'The payload continues after its end',
  malformed: 'The payload is malformed',
  'invalid-utf8': 'The payload contains an invalid byte',
  unsupported: 'The payload uses an unsupported feature',
  'unknown-format': 'The format of the payload is unknown',
  empty: 'The payload is empty',
  detached: 'The buffer of the payload is detached',
  limit: 'The payload exceeds a limit',
};
