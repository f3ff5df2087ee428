import { brandInstances } from '../instanceof-brand.ts';

/** Base class of errors: those of a decoder say which call they are of. */
export abstract class CallError extends Error {
  /** URL of the response, or the first 200 characters of a `data:` URL. Undefined for other sources. */
  declare url?: string | undefined;
  /** The option `label` of the call. */
  declare label?: string | undefined;

  /** The name, the message and all other properties as plain data, for logs and reports. `JSON.stringify` calls it. */
  toJSON(): object {
    return { message: this.message, ...(this as object) };
  }
}

brandInstances('CallError', CallError);
