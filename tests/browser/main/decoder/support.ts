import { onTestFinished } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import type { Decoder } from '../../../../main/decoder/decoder.ts';
import type { DecoderOptions } from '../../../../main/call/options/options.ts';
import { nextTask } from '../../../../core/platform/platform.ts';

export { json, makeRows, pack, type Row } from './payloads.ts';

/** A decoder that is closed at the end of the test. */
export function openDecoder(options: DecoderOptions = {}): Decoder {
  const decoder = createDecoder(options);
  onTestFinished(() => decoder.close());
  return decoder;
}

/** The same, but decodes all payloads in workers. */
export function openWorkerDecoder(options: DecoderOptions = {}): Decoder {
  return openDecoder({ route: 'worker', ...options });
}

/** The error with which a promise rejects. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('It did not reject');
}

/** Resolves in the first task in which a decode runs, before it has sent anything back. */
export async function untilRuns(decoder: Decoder): Promise<void> {
  while (decoder.stats().running === 0) await nextTask();
}

let holds = 0;

/** Workers that wait for `release` before each decode. `given`: sizes of their payloads. */
export function holdWorkers(): { createWorker: () => Worker; release: () => void; given: number[] } {
  const name = `hold ${(holds += 1)} ${Math.random()}`;
  const channel = new BroadcastChannel(name);
  onTestFinished(() => channel.close());
  let released = false;
  const release = (): void => {
    released = true;
    channel.postMessage('go');
  };
  const given: number[] = [];
  channel.onmessage = ({ data }) => {
    if (typeof data === 'number') given.push(data);
    else if (released) release();
  };
  return {
    createWorker: () => new Worker(new URL('./workers/held.ts', import.meta.url), { type: 'module', name }),
    release,
    given,
  };
}
