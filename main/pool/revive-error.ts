import type { ErrorRecord } from '../../core/error-record.ts';
import {
  DecodeError,
  type DecodeErrorCode,
  LimitError,
  type LimitName,
  NetworkError,
  SchemaError,
  TimeoutError,
  WorkerCrashError,
} from '../../core/errors.ts';

/** Recreates an error from its record (`recordError`). */
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
