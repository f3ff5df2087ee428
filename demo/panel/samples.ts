import { type AnyEncoding, ENCODING_TABLE } from '../payloads/encodings.ts';
import { payloadUrl } from '../payloads/payload-url.ts';
import type { RequestLog } from '../payloads/request-log.ts';

/** So many rows that the service worker keeps them: they are there without a network too. */
const ROWS = 200;

/** Asks for a small payload in every encoding, so that the panel has something to show. */
export async function askForSamples(log: RequestLog): Promise<void> {
  for (const encoding of Object.keys(ENCODING_TABLE) as AnyEncoding[]) {
    try {
      const response = await log.fetch(payloadUrl({ rows: ROWS, encoding }));
      // A body that nobody reads holds its connection.
      await response.arrayBuffer();
    } catch {
      // The log has it: the panel shows a request that failed.
    }
  }
}
