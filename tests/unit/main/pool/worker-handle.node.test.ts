import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WorkerHandle } from '../../../../main/pool/handle.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  onerror: ((event: Event) => void) | null = null;
  onmessageerror: (() => void) | null = null;
  postMessage(): void {}
  terminate(): void {}
}

/** Starts a worker and makes it fail, without keeping a reference to it or its handle. */
function failOne(): WeakRef<SilentWorker> {
  const worker = new SilentWorker();
  const events = { ready: () => {}, free: () => {}, crashed: () => {} };
  const handle = new WorkerHandle(() => worker as unknown as Worker, events);
  worker.onerror!(new Event('error', { cancelable: true }));
  expect(handle.ready).toBe(false);
  return new WeakRef(worker);
}

test('a worker that dies before it answers a call can be collected with its handle', async () => {
  const workers = Array.from({ length: 5 }, failOne);
  await expect
    .poll(() => {
      collectGarbage();
      return workers.filter((worker) => worker.deref() !== undefined).length;
    })
    .toBe(0);
});
