import { type HeldBytes, viewOf } from './compare.ts';

/** The bytes of a payload while they arrive, in a buffer that has room for an expected number of them. */
export class ArrivingBytes implements HeldBytes {
  /** Zeros follow the bytes that have arrived, until `end`. */
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  ready = 0;
  awaits = true;
  wanted = 0;

  constructor(room: number) {
    this.bytes = new Uint8Array(room);
    this.view = viewOf(this.bytes);
  }

  /** True if a comparison waits for bytes that have not arrived. */
  get lacks(): boolean {
    return this.awaits && this.ready < this.wanted;
  }

  /** Adds the next bytes. Returns false if there is no room for them. */
  add(chunk: Uint8Array): boolean {
    if (this.ready + chunk.length > this.bytes.length) return false;
    this.bytes.set(chunk, this.ready);
    this.ready += chunk.length;
    return true;
  }

  /** Ends the payload. */
  end(): void {
    this.awaits = false;
    this.bytes = this.bytes.subarray(0, this.ready);
    this.view = viewOf(this.bytes);
  }
}
