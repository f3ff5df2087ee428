import { describe, expect, it, onTestFinished } from 'vitest';
import { createDecoder, type Decoder } from '../../../../main/index.ts';
import { ThreadWorker } from '../../../../main/pool/thread-worker.ts';

/** Creates a decoder whose threads run the given script instead of the library's. `tests/e2e/smoke.test.ts` runs the library's own. */
function decoderWith(script: string): Decoder {
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const decoder = createDecoder({ createWorker: () => new ThreadWorker(url) as EventTarget as Worker });
  onTestFinished(() => decoder.close());
  return decoder;
}

const rows = new TextEncoder().encode(JSON.stringify([{ id: 1 }, { id: 2 }]));

describe('a decode in a thread', () => {
  it.each([
    ['throws', 'throw new Error("no luck")', 'the worker failed: no luck'],
    ['ends', 'process.exit()', 'the worker failed: the thread has ended'],
    ['cannot be parsed', 'const;', /^the worker failed: /],
  ])('rejects with a WorkerCrashError if the script %s', async (_, script, message) => {
    const decoding = decoderWith(script).decode(rows.slice(), { route: 'worker', as: 'rows' });
    await expect(decoding).rejects.toMatchObject({ name: 'WorkerCrashError', message: expect.stringMatching(message) as string });
  });
});

describe('a thread', () => {
  it('answers messages until it is terminated, and ports that were sent to it', async () => {
    const url = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        parentPort.on('message', ({ port }) => (port ?? parentPort).postMessage('here'));
      `)}`,
    );
    const worker = new ThreadWorker(url);
    onTestFinished(() => worker.terminate());
    const next = (target: EventTarget): Promise<unknown> =>
      new Promise((resolve) => {
        target.addEventListener('message', (event) => resolve((event as MessageEvent).data), { once: true });
      });
    const answer = next(worker);
    worker.postMessage({});
    expect(await answer).toBe('here');
    const { port1, port2 } = new MessageChannel();
    const own = next(port1);
    port1.start();
    worker.postMessage({ port: port2 }, [port2]);
    expect(await own).toBe('here');
    port1.close();
  });
});
