import { afterEach, expect, test } from 'vitest';
import { WorkerCrashError } from '../../../../core/errors.ts';
import { RemoteService } from '../../../../main/pool/remote-service.ts';
import { DecodeService } from '../../../../worker/decode-service.ts';
import { serveCalls } from '../../../../worker/serve-calls.ts';

/** The service of a worker on this thread, over a channel. */
function connect(service: DecodeService): RemoteService {
  const { port1, port2 } = new MessageChannel();
  serveCalls(service, port2);
  port2.start();
  closers.push(() => [port1, port2].map((port) => port.close()));
  return new RemoteService(port1 as unknown as Worker);
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A service whose first call is answered after the second. */
class Slow extends DecodeService {
  #release: ((has: boolean) => void) | undefined;

  override hasKernels(): Promise<boolean> {
    return new Promise((resolve) => (this.#release = resolve));
  }

  override ping(): void {
    this.#release?.(true);
  }
}

test('each call resolves with its own answer, whatever the order of the answers', async () => {
  const service = connect(new Slow());
  const [has, pong] = [service.call('hasKernels', []), service.call('ping', [])];
  expect(await pong).toBeUndefined();
  expect(await has).toBe(true);
});

test('a call rejects with an error of the class that the worker threw', async () => {
  const load = async (): Promise<never> => {
    throw new Error('offline');
  };
  const service = connect(new DecodeService(load));
  const error = await service.call('prepare', [['cbor']]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WorkerCrashError);
  expect(error).toMatchObject({ code: 'worker-crash', message: 'the code of cbor could not be loaded: offline' });
});

test('a call whose arguments cannot be sent rejects, and later ones are answered', async () => {
  const service = connect(new DecodeService());
  await expect(service.call('registerSchema', [1, () => {}])).rejects.toThrow('could not be cloned');
  await expect(service.call('ping', [])).resolves.toBeUndefined();
});
