import { expose } from 'comlink';
import { loadFile } from '../../../../../worker/code.ts';
import { DecodeService } from '../../../../../worker/decode-service.ts';

/** A worker that throws an uncaught error when it receives a job. */
class ThrowingService extends DecodeService {
  override decode(): void {
    queueMicrotask(() => {
      throw new Error('out of order');
    });
  }
}

expose(new ThrowingService(loadFile));
