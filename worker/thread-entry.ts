import type { ServiceCall } from './protocol.ts';
import { DecodeService } from './decode-service.ts';
import { serveCalls } from './serve-calls.ts';

/** The port of a thread of Node to the thread that started it. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (data: Partial<ServiceCall>) => void): void;
}

// The worker of `main/node.ts`, as a thread of `node:worker_threads`.
const { process } = globalThis as unknown as { process: { getBuiltinModule(name: string): { parentPort: ParentPort } } };
const { parentPort } = process.getBuiltinModule('node:worker_threads');

serveCalls(new DecodeService(), {
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (_type, listener) => parentPort.on('message', (data) => listener(new MessageEvent('message', { data }))),
});
