import type { FormatWriter } from '../../writing/writer.ts';
import { JsonWriter } from './write/json-writer.ts';
import type { Limits } from '../../limits.ts';
import { isPlain, type JsonWriteOptions } from './options.ts';
import { estimateSize, MAX_NODES, stringify } from './write/estimate.ts';
import { OptionsWriter } from './write/options-writer.ts';

export type { JsonWriteOptions } from './options.ts';

/** UTF-16 units up to which ASCII is encoded by hand: below that, calling the engine's encoder costs more. */
const FEW_UNITS = 64;

const encoder = new TextEncoder();
/** Texts are encoded into this memory and copied: engines take longer to allocate an array per text. */
const memory = new Uint8Array(1 << 15);

/** `FormatWriter.encodeSmall`: the engine's `JSON.stringify`, unless an option changes the text. */
function encodeSmall(value: unknown, options: JsonWriteOptions, { depth }: Limits): Uint8Array<ArrayBuffer> | undefined {
  if (options.sequence || !isPlain(options) || estimateSize(value, depth) > MAX_NODES) return undefined;
  const text = stringify(value, depth);
  return text === undefined ? undefined : bytesOf(text);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  if (length <= FEW_UNITS) {
    const bytes = new Uint8Array(length);
    let all = 0;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      all |= unit;
      bytes[index] = unit;
    }
    if (all < 0x80) return bytes;
  }
  if (3 * length > memory.length) return encoder.encode(text);
  return memory.slice(0, encoder.encodeInto(text, memory).written);
}

const jsonEncoder: FormatWriter<JsonWriteOptions> = {
  id: 'json',
  createWriter: (options, limits) => (isPlain(options) ? new JsonWriter(options, limits) : new OptionsWriter(options, limits)),
  encodeSmall,
};

export default jsonEncoder;
