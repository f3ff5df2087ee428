import { DecodeService } from '../../../../../worker/decode-service.ts';
import { serveCalls } from '../../../../../worker/serve-calls.ts';

/** A worker that throws an uncaught error when it receives a job. */
class ThrowingService extends DecodeService {
  override decode(): void {
    queueMicrotask(() => {
      throw new Error('out of order');
    });
  }
}

serveCalls(new ThrowingService());
