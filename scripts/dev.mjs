#!/usr/bin/env node
/** Serves the demo from its sources, backed by the payload server, with hot reloading. */
import { join } from 'node:path';
import { createServer as createViteServer } from 'vite';
import { createServer as createPayloadServer } from '../demo/server/index.mjs';
import { build } from './build.mjs';
import { ROOT } from './run.mjs';

// The payload server encodes with the built library.
await build({ modes: ['lib'], onlyStale: true });
const payloads = createPayloadServer();
const target = await payloads.listen({ port: 0 });
const vite = await createViteServer({
  configFile: join(ROOT, 'vite.config.ts'),
  mode: 'demo',
  server: { proxy: { '/payload': target, '/api': target, '/answer': target, '/itinerary': target, '/ticks': { target, ws: true } } },
});
await vite.listen();
vite.printUrls();

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    void Promise.all([vite.close(), payloads.close()]);
  });
}
