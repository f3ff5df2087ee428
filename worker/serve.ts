/** Asks a worker to load a file of code, which then answers over a port. */
export interface ServeRequest {
  kind: 'serve';
  /** The name of the file, and where it is. */
  name: string;
  url: string;
  port: MessagePort;
}

/** Loads the module of a file of code by its name and URL. */
export type LoadModule = (name: string, url: string) => Promise<unknown>;

/** What the module of such a file has. */
export interface Service {
  /** Answers what comes over the port. `load` loads further code. */
  serve(port: MessagePort, load: LoadModule): void;
}

/** What is said over the port where the code could not be loaded. */
export interface NotServed {
  kind: 'not-served';
}

/** Loads the code that pages ask for. */
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
