// The demo's server. Run it with `node demo/server/index.mjs [--port 4173] [--host 127.0.0.1]`, or import `createServer`.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer, DEFAULT_HOST, DEFAULT_PORT } from './server.mjs';

export { CONTENT_SECURITY_POLICY, createServer, DEFAULT_HOST, DEFAULT_PORT } from './server.mjs';
export { payload, PAYLOAD_CACHE, PayloadStore } from './payload.mjs';
export { PayloadRequestError } from './payload-request.mjs';

const script = process.argv[1];
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) await main();

async function main() {
  const { port, host } = readOptions();
  const server = createServer();
  const url = await server.listen({ port, host });
  console.log(`Unspool demo: ${url}`);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      void server.close();
    });
  }
}

/** @returns {{ port: number, host: string }} Ends the process with status 2 and a usage line if the options are wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(DEFAULT_PORT) },
        host: { type: 'string', default: DEFAULT_HOST },
      },
    });
    const port = Number(values.port);
    if (!/^\d{1,5}$/.test(values.port) || port > 65_535) throw new RangeError(`--port must be 0 to 65535, not ${values.port}.`);
    return { port, host: values.host };
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\nUsage: node demo/server/index.mjs [--port 4173] [--host 127.0.0.1]`);
    return process.exit(2);
  }
}
