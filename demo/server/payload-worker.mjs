// Worker thread: generates one payload and posts its duration.
import { parentPort, workerData } from 'node:worker_threads';
import { writePayload } from './write-payload.mjs';

/** @type {{ request: import('./payload-request.mjs').PayloadRequest, path: string, temporaryPath: string }} */
const { request, path, temporaryPath } = workerData;
const started = performance.now();
await writePayload(request, path, temporaryPath);
parentPort?.postMessage(performance.now() - started);
