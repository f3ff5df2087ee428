/** Asks a worker to load a code file, which then answers over a port. */
export interface ServeRequest {
  kind: 'serve';
  /** Name and URL of the file. */
  name: string;
  url: string;
  port: MessagePort;
}

/** Loads a code file by name and URL. Resolves to its module. */
export type LoadModule = (name: string, url: string) => Promise<unknown>;

/** Exports of such a file. */
export interface Service {
  /** Answers messages over the port. `load` loads further code. */
  serve(port: MessagePort, load: LoadModule): void;
}

/** Sent if the code fails to load. */
export interface NotServed {
  kind: 'not-served';
}

/** Loads code that pages request. */
export function listenForServices(load: LoadModule): void {
  addEventListener('message', ({ data }: MessageEvent<Partial<ServeRequest> | undefined>) => {
    if (data?.kind === 'serve') void startService(data as ServeRequest, load);
  });
}

async function startService({ name, url, port }: ServeRequest, load: LoadModule): Promise<void> {
  try {
    ((await load(name, url)) as Service).serve(port, load);
  } catch {
    const message: NotServed = { kind: 'not-served' };
    port.postMessage(message);
  }
}
