import { recordError } from '../core/error-record.ts';
import type { ServiceAnswer, ServiceCall, WorkerService } from './protocol.ts';

/** What calls arrive at: a worker's own scope, or a port. */
interface CallPort {
  addEventListener(type: 'message', listener: (event: MessageEvent<Partial<ServiceCall> | undefined>) => void): void;
  postMessage(message: ServiceAnswer): void;
}

/** Answers the calls of a service: each with one message, whether it succeeds or not. */
export function serveCalls(service: WorkerService, port: CallPort = globalThis): void {
  const answer = async ({ id, method, args }: ServiceCall): Promise<void> => {
    try {
      // Methods and arguments are those of the same `WorkerService`.
      port.postMessage({ id, value: await (service[method] as (...args: unknown[]) => unknown)(...args) });
    } catch (error) {
      port.postMessage({ id, error: recordError(error) });
    }
  };
  port.addEventListener('message', ({ data }) => {
    if (data?.method) void answer(data as ServiceCall);
  });
}
