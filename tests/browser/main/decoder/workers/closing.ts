import { expose } from 'comlink';
import { loadFile } from '../../../../../worker/code.ts';
import { DecodeService } from '../../../../../worker/decode-service.ts';

/** A worker that closes silently when it receives a job. */
class ClosingService extends DecodeService {
  #started: Promise<boolean> | undefined;

  override start(lock: string | undefined): Promise<boolean> {
    return (this.#started = super.start(lock));
  }

  override decode(): void {
    void this.#started!.then(() => self.close());
  }
}

expose(new ClosingService(loadFile));
