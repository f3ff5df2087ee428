import { transferHandlers } from 'comlink';
import { PART_PORT, type PartPort } from './protocol.ts';

/** `PartPort` as both threads have it. Importing this file teaches Comlink to carry it. */
export class TransferredPort implements PartPort {
  readonly port: MessagePort;

  constructor(port: MessagePort) {
    this.port = port;
  }
}

transferHandlers.set(PART_PORT, {
  canHandle: (value): value is TransferredPort => value instanceof TransferredPort,
  serialize: (value: TransferredPort) => [value.port, [value.port]],
  deserialize: (port: MessagePort) => new TransferredPort(port),
});
