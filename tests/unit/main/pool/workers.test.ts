import { expect, test } from 'vitest';
import { Workers } from '../../../../main/pool/workers.ts';

const OPTIONS = { workers: 1, queueLimit: 1, idleTimeout: 1_000 };

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  onerror: ((event: Event) => void) | null = null;
  terminated = false;
  postMessage(): void {}
  terminate(): void {
    this.terminated = true;
  }
}

/** Workers, and those that were made so far. */
function silent(): { workers: Workers; made: SilentWorker[] } {
  const made: SilentWorker[] = [];
  const createWorker = (): Worker => {
    made.push(new SilentWorker());
    return made.at(-1) as EventTarget as Worker;
  };
  return { workers: new Workers({ ...OPTIONS, createWorker }), made };
}

test('the first worker starts with the call, before the code of the pool is loaded, and the pool takes it over', async () => {
  const { workers, made } = silent();
  expect(workers.stats().workers).toBe(0);
  const warming = workers.warm();
  warming.catch(() => {});
  expect(made).toHaveLength(1);
  expect(workers.stats().workers).toBe(1);
  const pool = await workers.load();
  await expect.poll(() => pool.stats().workers).toBe(1);
  expect(made).toHaveLength(1);
  workers.close();
  await expect(warming).rejects.toThrow('The worker was stopped');
});

test('a worker that fails before the pool listens to it fails the call', async () => {
  const { workers, made } = silent();
  const warming = workers.warm();
  const event = new Event('error', { cancelable: true });
  made[0]!.onerror!(event);
  expect(event.defaultPrevented).toBe(true);
  await expect(warming).rejects.toThrow('the worker could not be loaded');
  expect(workers.stats()).toMatchObject({ workers: 0, crashes: 1 });
  expect(made).toHaveLength(1);
});

test('a worker that cannot be created fails the call, and the next call tries again', async () => {
  let attempts = 0;
  const createWorker = (): never => {
    attempts += 1;
    throw new Error('no luck');
  };
  const workers = new Workers({ ...OPTIONS, createWorker });
  await expect(workers.warm()).rejects.toThrow('the worker could not be created: no luck');
  expect(attempts).toBe(1);
  await expect(workers.warm()).rejects.toThrow('the worker could not be created: no luck');
  expect(attempts).toBe(2);
});

test('closing stops a worker that the pool does not have yet', async () => {
  const { workers, made } = silent();
  const warming = workers.warm();
  workers.close();
  expect(made[0]!.terminated).toBe(true);
  await expect(warming).rejects.toThrow('The decoder is closed');
  expect(made).toHaveLength(1);
});
