import type { decodeAll } from './decode-all.js';

declare global {
  /** What the page's decodes came to. */
  var outcome: ReturnType<typeof decodeAll> | Promise<Record<string, unknown>> | Promise<number>;
}
