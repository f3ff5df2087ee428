import { expose } from 'comlink';
import { serve } from '../../../worker/rows-writing/write-rows.ts';
import type { LoadModule, ServeRequest } from '../../../worker/load-service.ts';
import { loadFile } from '../../../worker/code.ts';
import { DecodeService } from '../../../worker/decode-service.ts';

/** Substitute for a worker: the same service on this thread, over a channel. */
export function localWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  const service = new DecodeService(loadFile);
  expose(service, port2);
  const terminate = (): void => {
    service.close();
    port1.close();
    port2.close();
  };
  return Object.assign(port1, { terminate, onerror: null }) as unknown as Worker;
}

/** Substitute for a worker that writes `Rows`: the same code on this thread, over the given ports. */
export function localRowsWriter({ load = loadEncoder }: { load?: LoadModule } = {}): Worker {
  const postMessage = ({ port }: ServeRequest): void => serve(port, load);
  return { postMessage, terminate() {}, onerror: null } as unknown as Worker;
}

/** Loads the writer of a format by the name of its file. */
export async function loadEncoder(name: string): Promise<unknown> {
  const [, id] = name.split('/');
  return await import(`../../../core/formats/${id}/writer.ts`);
}
