import { expose } from 'comlink';
import type { PartPort } from '../../../../worker/protocol.ts';
import { DecodeService } from '../../../../worker/service.ts';

/** A worker that ends without a word when it is given something to do. */
class ClosingService extends DecodeService {
  override decode(): PartPort {
    self.close();
    return super.decode({ format: 'json', options: {}, schema: undefined, limits: {} as never });
  }
}

expose(new ClosingService());
