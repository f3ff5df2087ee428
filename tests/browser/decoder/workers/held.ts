import { expose } from 'comlink';
import type { DecodeJob, PartPort } from '../../../../worker/protocol.ts';
import { DecodeService } from '../../../../worker/service.ts';

/** A worker that begins no decode before the page says so, on the channel that is the worker's name. */
class HeldService extends DecodeService {
  readonly #channel = new BroadcastChannel(self.name);
  readonly #released = new Promise((resolve) => {
    this.#channel.onmessage = resolve;
    this.#channel.postMessage('ready');
  });

  // @ts-expect-error -- Comlink awaits what comes back
  override async decode(job: DecodeJob, bytes?: Uint8Array<ArrayBuffer>): Promise<PartPort> {
    this.#channel.postMessage(bytes?.length);
    await this.#released;
    return super.decode(job, bytes);
  }
}

expose(new HeldService());
