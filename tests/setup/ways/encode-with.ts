import { joined } from '../../../core/bytes/byte-input.ts';
import { EncodeError } from '../../../core/errors.ts';
import type { FormatWriter } from '../../../core/writing/writer.ts';
import { type Limits, resolveLimits } from '../../../core/limits.ts';
import { firstDifference } from '../values/hex.ts';

/** Options of `encodeWith`. */
export interface EncodeSetting {
  options?: object;
  schema?: unknown;
  limits?: Partial<Limits>;
  /** Name in errors. Default `format`. */
  format?: string;
  /** Pauses wherever possible. */
  inTurns?: boolean;
  /** Decides whether to pause, instead of `inTurns`. */
  turn?: () => boolean;
  /** Bytes of a chunk. */
  chunk?: number;
}

/** Encodes a value. Copies each chunk when it is emitted, which reveals later changes. */
export function encodeWith(writer: unknown, value: unknown, setting: EncodeSetting = {}): Uint8Array<ArrayBuffer> {
  const { options = {}, schema, limits, format = 'format', inTurns, turn = inTurns ? (): boolean => true : undefined, chunk } = setting;
  const made = (writer as FormatWriter<object, unknown>).createWriter(options, resolveLimits(limits), schema);
  const session = made.session(format, turn, chunk).write(value);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  while (!session.isWhole) {
    session.run();
    chunks.push(...session.take().map((bytes) => bytes.slice()));
  }
  return joined(chunks);
}

/** Encodes a value at once, with pauses and in small chunks, which must produce the same bytes. */
export function encodeEveryWay(writer: unknown, value: unknown, setting: EncodeSetting = {}): Uint8Array<ArrayBuffer> {
  const whole = encodeWith(writer, value, setting);
  for (const chunk of [1, 13]) {
    for (const inTurns of [true, false]) {
      const cut = encodeWith(writer, value, { ...setting, inTurns, chunk });
      const at = firstDifference(whole, cut);
      if (at >= 0)
        throw new Error(`in chunks of ${chunk}, ${inTurns ? 'in turns' : 'in one go'}: differs at byte ${at} of ${whole.length}, ${cut.length}`);
    }
  }
  return whole;
}

/** The code and the path of the EncodeError that a writer throws. Throws if it throws none. */
export function encodeErrorOf(writer: unknown, value: unknown, setting: EncodeSetting = {}): { code: string; path: (string | number)[] | undefined } {
  try {
    encodeWith(writer, value, setting);
  } catch (error) {
    if (error instanceof EncodeError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error('it was encoded');
}

/** Bytes before a value that fill the first chunk up to `left` bytes before the check for a pause. */
export function fillerLeaving(left: number): number {
  return (1 << 16) - 1024 - left;
}
