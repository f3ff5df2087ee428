/** A worker that was just started, and how it failed before anybody could hear of it. */
export interface StartedWorker {
  readonly worker: Worker;
  failure: Event | undefined;
}

/** Starts a worker. Its `onerror` is to be replaced by whoever takes it over. Throws what `createWorker` throws. */
export function startWorker(createWorker: () => Worker): StartedWorker {
  const started: StartedWorker = { worker: createWorker(), failure: undefined };
  started.worker.onerror = (event) => {
    event.preventDefault();
    started.failure = event;
  };
  return started;
}
