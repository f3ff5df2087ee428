import { type Endpoint, expose } from 'comlink';
import { loadFile } from './code.ts';
import { DecodeService } from './decode-service.ts';

/** The port of a thread of Node to the thread that started it. */
interface ParentPort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (data: unknown) => void): void;
}

// The worker of `main/node.ts`, as a thread of `node:worker_threads`.
const { process } = globalThis as unknown as { process: { getBuiltinModule(name: string): { parentPort: ParentPort } } };
const { parentPort } = process.getBuiltinModule('node:worker_threads');

const endpoint: Endpoint = {
  postMessage: (message, transfer) => parentPort.postMessage(message, transfer),
  addEventListener: (_type, listener) => {
    const listen = typeof listener === 'function' ? listener : (event: Event) => listener.handleEvent(event);
    parentPort.on('message', (data) => listen(new MessageEvent('message', { data })));
  },
  // The port is listened to until the thread ends.
  removeEventListener: () => {},
};

expose(new DecodeService(loadFile), endpoint);
