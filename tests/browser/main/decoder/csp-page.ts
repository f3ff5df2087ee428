import { createDecoder, type Decoder } from '../../../../main/index.ts';
import { WorkerSocket } from '../../../../main/socket.ts';
import { makeRows, pack } from './payloads.ts';

/** Result of the page under the policy. */
export interface CspResult {
  reports: string[];
  results: unknown[];
  trustedTypes: boolean;
}

// Stands for the module runner that served modules expect, which this frame lacks.
Object.assign(globalThis, { __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() } });

/** Uses the library on a page under a strict policy. */
async function run(): Promise<unknown[]> {
  const decoder = createDecoder({ workers: 1, route: 'worker' });
  const bytes = pack(makeRows(2_000));
  const rows = await decoder.decode<unknown[]>(bytes);
  const list = await decoder.decode<unknown[]>(bytes, { as: 'rows' });
  const small = await decoder.decode(pack([1, 2, 3]), { route: 'auto' });
  return [rows.length, list.length, small, decoder.stats().workers, await echo(decoder)];
}

/** Sends a message through a socket in a worker. */
async function echo(decoder: Decoder): Promise<unknown> {
  const socket = new WorkerSocket(`ws://${new URL(import.meta.url).host}/echo-socket`);
  socket.addEventListener('open', () => socket.send('"echo"'));
  const { value } = await decoder.messages(socket).next();
  socket.close();
  return value;
}

const reports: string[] = [];
document.addEventListener('securitypolicyviolation', (event) => {
  reports.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
const results = await run().catch((error: unknown) => [String(error)]);
const result: CspResult = { reports, results, trustedTypes: 'trustedTypes' in globalThis };
parent.postMessage({ csp: result }, '*');
