import { expose } from 'comlink';
import type { DecodeJob } from '../../../../../worker/protocol.ts';
import { loadFile } from '../../../../../worker/code.ts';
import { DecodeService } from '../../../../../worker/decode-service.ts';

/** A worker that waits before each decode for a message on the channel with its name. */
class HeldService extends DecodeService {
  readonly #channel = new BroadcastChannel(self.name);
  readonly #released = new Promise((resolve) => {
    this.#channel.onmessage = resolve;
    this.#channel.postMessage('ready');
  });

  override decode(job: DecodeJob, port: MessagePort, bytes?: Uint8Array<ArrayBuffer>): void {
    this.#channel.postMessage(bytes?.length);
    void this.#released.then(() => super.decode(job, port, bytes));
  }
}

expose(new HeldService(loadFile));
