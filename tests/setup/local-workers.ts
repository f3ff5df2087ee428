import { expose } from 'comlink';
import { DecodeService } from '../../worker/thread/service.ts';

/** What takes the place of a worker where there is none: the same service on this thread, over a channel. */
export function localWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  const service = new DecodeService();
  expose(service, port2);
  const terminate = (): void => {
    service.close();
    port1.close();
    port2.close();
  };
  return Object.assign(port1, { terminate, onerror: null }) as unknown as Worker;
}
