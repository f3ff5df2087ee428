import { expose } from 'comlink';
import type { PartPort } from '../../../../worker/protocol.ts';
import { DecodeService } from '../../../../worker/service.ts';

/** A worker in which something fails that nothing catches, when it is given something to do. */
class ThrowingService extends DecodeService {
  // @ts-expect-error -- Comlink awaits what comes back
  override decode(): Promise<PartPort> {
    queueMicrotask(() => {
      throw new Error('out of order');
    });
    return new Promise(() => {});
  }
}

expose(new ThrowingService());
