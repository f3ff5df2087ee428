export { CallError } from './errors/call-error.ts';
export { DecodeError, type DecodeErrorCode } from './errors/decode-error.ts';
export { EncodeError, type EncodeErrorCode, outOfRange } from './errors/encode-error.ts';
export { LimitError, type LimitName } from './errors/limit-error.ts';
export { NetworkError } from './errors/network-error.ts';
export { type ErrorPlace, formatPath, PlacedError } from './errors/placed-error.ts';
export { SchemaError } from './errors/schema-error.ts';
export { TimeoutError } from './errors/timeout-error.ts';
export { WorkerCrashError } from './errors/worker-crash-error.ts';
