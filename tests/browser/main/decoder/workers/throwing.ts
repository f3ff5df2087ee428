import { expose } from 'comlink';
import { DecodeService } from '../../../../../worker/service.ts';

/** A worker in which something fails that nothing catches, when it is given something to do. */
class ThrowingService extends DecodeService {
  override decode(): void {
    queueMicrotask(() => {
      throw new Error('out of order');
    });
  }
}

expose(new ThrowingService());
