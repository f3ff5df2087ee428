import { type AnyEncoding, ENCODING_TABLE } from '../payloads/encodings.ts';
import { payloadUrl } from '../payloads/payload-url.ts';
import type { RequestLog } from '../payloads/request-log.ts';

/** Rows of a sample. The service worker caches payloads of this size for offline use. */
const ROWS = 200;

/** Requests a small payload in every encoding. */
export async function askForSamples(log: RequestLog): Promise<void> {
  for (const encoding of Object.keys(ENCODING_TABLE) as AnyEncoding[]) {
    try {
      const response = await log.fetch(payloadUrl({ rows: ROWS, encoding }));
      // An unread body would keep its connection.
      await response.arrayBuffer();
    } catch {
      // The log contains the failed request, which the panel shows.
    }
  }
}
