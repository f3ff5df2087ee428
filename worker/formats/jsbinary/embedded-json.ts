import type { Limits } from '../../limits.ts';
import type { Sink } from '../../events/sink.ts';
import { JsonReader } from '../json/reader.ts';

/** Reads a JSON text that lies in another payload, at the offset `base`. */
export class EmbeddedJson extends JsonReader {
  constructor(sink: Sink, limits: Limits, base: number) {
    super(sink, {}, limits);
    this.base = base;
  }
}
