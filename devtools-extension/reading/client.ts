// oxlint-disable-next-line import/default -- the bundler's query makes it
import workerUrl from './panel-worker.ts?worker&url';
import type { AnswerMessage, CallName, Calls } from './protocol.ts';
import { startWorker } from './start-worker.ts';

/** The panel's worker, from the panel's side. */
export interface ReadingClient {
  call<Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['answer']>;
  close(): void;
}

/** Starts the worker that reads bodies. */
export function createReadingClient(): ReadingClient {
  const worker = startWorker(workerUrl, 'Unspool panel');
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  worker.addEventListener('message', ({ data }: MessageEvent<AnswerMessage>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('problem' in data) call?.reject(new Error(data.problem));
    else call?.resolve(data.answer as never);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new Error(`The panel's worker failed: ${event.message || 'it could not be loaded'}`));
    waiting.clear();
  });
  return {
    call: (name, request) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, request });
      }),
    close: () => worker.terminate(),
  };
}
