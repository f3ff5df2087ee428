import {
  DecodeError,
  type DecodeErrorCode,
  type ErrorPlace,
  LimitError,
  type LimitName,
  NetworkError,
  PlacedError,
  SchemaError,
  TimeoutError,
  WorkerCrashError,
} from './errors.ts';

/** An error as plain data, to cross a thread boundary. */
export interface ErrorRecord extends ErrorPlace {
  name: string;
  reason: string;
  code?: string | undefined;
  limit?: string | undefined;
  schema?: string | undefined;
  receivedBytes?: number | undefined;
  stack?: string | undefined;
}

/** Turns anything thrown into plain data. */
export function recordError(error: unknown): ErrorRecord {
  if (error instanceof PlacedError) {
    const { name, reason, format, offset, path } = error;
    const { code, limit, schema } = error as Partial<ErrorRecord>;
    return { name, reason, code, limit, schema, format, offset, path };
  }
  if (error instanceof Error) {
    const { name, message, stack } = error;
    return { name, reason: message, stack, receivedBytes: (error as Partial<NetworkError>).receivedBytes };
  }
  return { name: 'Error', reason: String(error) };
}

/** The error that `recordError` recorded. */
export function reviveError(record: ErrorRecord): Error {
  switch (record.name) {
    case 'DecodeError':
      return new DecodeError(record.code as DecodeErrorCode, record.reason, record);
    case 'LimitError':
      return new LimitError(record.limit as LimitName, record.reason, record);
    case 'SchemaError':
      return new SchemaError(record.reason, record.schema, record);
    case 'WorkerCrashError':
      return new WorkerCrashError(record.reason);
    case 'NetworkError':
      return new NetworkError(record.reason, record.receivedBytes!);
    case 'TimeoutError':
      return new TimeoutError(record.reason);
    case 'AbortError':
      return new DOMException(record.reason, 'AbortError');
    default: {
      const error = new Error(record.reason);
      error.name = record.name;
      return error;
    }
  }
}
