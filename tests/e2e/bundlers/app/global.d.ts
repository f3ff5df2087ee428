import type { decodeAll } from './decode-all.js';

declare global {
  /** Outcome of the page. */
  var outcome: ReturnType<typeof decodeAll> | Promise<Record<string, unknown>> | Promise<number>;
  /** The media types that the page's decoder reads. */
  var accept: string;
}
