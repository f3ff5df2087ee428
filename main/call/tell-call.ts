import { CallError, PlacedError } from '../../core/errors.ts';

/** Most bytes shown of a body, and characters of a `data:` URL. */
const SHOWN = 200;

/** The error of an `import()` in a service worker, in Chromium, Firefox and WebKit. Those of pages begin otherwise. */
const IN_SERVICE_WORKER = /^(import\(|dynamic.+import)/i;

/** A call of a decoder, for its error. */
export interface Call {
  readonly url?: string | undefined;
  readonly label?: string | undefined;
  /** An error that was made in the call: its stack names the caller, which stacks of later errors do not. */
  readonly caller: Error;
  /** The status of a response that failed, and the first bytes of its body. */
  readonly failed?: number | undefined;
  readonly head?: Uint8Array | undefined;
}

/** Adds the call to an error, and to the error of a failed response the server's answer. */
export function tellCall(error: unknown, { url, label, caller, failed, head }: Call): void {
  if (error instanceof CallError) {
    error.url = (url?.startsWith('data:') ? url.slice(0, SHOWN) : url) || undefined;
    if (label !== url) error.label = label;
    if (failed && error instanceof PlacedError) {
      const reason = error.reason.replace(/[;:] the payload begins with .*/s, '');
      Object.assign(error, { reason: `HTTP ${failed}: ${textOf(head)}${reason}` }).locate({});
    }
  }
  addCaller(error, caller);
}

/** Adds the frames of a caller to the stack of an error of the library, or of a misuse of it. */
export function addCaller(error: unknown, caller: Error): void {
  const { message } = (error ?? {}) as Partial<Error>;
  if (IN_SERVICE_WORKER.test(message!)) (error as Error).message = 'service workers refuse import(): use unspool/service-worker or unspool/sync';
  if (!(error instanceof CallError || error instanceof TypeError)) return;
  const lines = [error, caller].flatMap(({ stack }) => stack?.match(/^(?: +at |\S*@).*/gm) ?? []);
  // In some engines, a stack begins with the error, whose message may have changed since.
  if (caller.stack?.startsWith('Error')) lines.unshift(String(error));
  // In Firefox, an assignment would make it a property that `Object.keys` lists.
  Object.defineProperty(error, 'stack', { value: [...new Set(lines)].join('\n'), writable: true, configurable: true });
}

/** The beginning of a body in one line, if it is text. */
function textOf(bytes: Uint8Array | undefined): string {
  const head = new TextDecoder().decode(bytes?.subarray(0, SHOWN), { stream: true });
  const line = head.replace(/\s+/g, ' ').trim();
  return !line || /[\p{Cc}\ufffd]/u.test(line) ? '' : `${line}${bytes!.length > SHOWN ? '…' : ''}; `;
}
