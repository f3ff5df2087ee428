import { type ErrorPlace, type NetworkError, PlacedError } from './errors.ts';

/** An error as plain data that can cross a thread boundary. */
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
  // Errors of another realm are no instances of this one's.
  if ((error as Partial<Error> | null | undefined)?.message !== undefined) {
    const { name, message, stack } = error as Error;
    return { name, reason: message, stack, receivedBytes: (error as Partial<NetworkError>).receivedBytes };
  }
  return { name: 'Error', reason: String(error) };
}
