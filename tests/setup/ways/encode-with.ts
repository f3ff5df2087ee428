import { joined } from '../../../core/bytes/byte-input.ts';
import { EncodeError } from '../../../core/errors.ts';
import type { FormatWriter } from '../../../core/writing/writer.ts';
import { type Limits, resolveLimits } from '../../../core/limits.ts';

/** How `encodeWith` encodes. */
export interface EncodeSetting {
  options?: object;
  schema?: unknown;
  limits?: Partial<Limits>;
  /** Name in errors. Default `format`. */
  format?: string;
  /** Writing stops wherever it can, and goes on later. */
  inTurns?: boolean;
  /** Asked whether it stops, in place of `inTurns`. */
  turn?: () => boolean;
  /** Bytes of a chunk, for which writing stops in every few bytes. */
  chunk?: number;
}

/** What a writer makes of a value. Each chunk is copied as it is given out, so that one that changes later gives itself away. */
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

/** Encodes a value, also in turns and small chunks, which must give the same bytes. */
export function encodeEveryWay(writer: unknown, value: unknown, setting: EncodeSetting = {}): Uint8Array<ArrayBuffer> {
  const whole = encodeWith(writer, value, setting);
  for (const chunk of [1, 13]) {
    for (const inTurns of [true, false]) {
      const cut = encodeWith(writer, value, { ...setting, inTurns, chunk });
      const at = whole.findIndex((byte, index) => byte !== cut[index]);
      if (at >= 0 || cut.length !== whole.length)
        throw new Error(`in chunks of ${chunk}, ${inTurns ? 'in turns' : 'in one go'}: differs at byte ${at} of ${whole.length}, ${cut.length}`);
    }
  }
  return whole;
}

/** The code and the path of the EncodeError that a writer throws; throws where it throws none. */
export function encodeErrorOf(writer: unknown, value: unknown, setting: EncodeSetting = {}): { code: string; path: (string | number)[] | undefined } {
  try {
    encodeWith(writer, value, setting);
  } catch (error) {
    if (error instanceof EncodeError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error('it was encoded');
}

/** So many bytes before a value fill the first chunk, but for `left` bytes up to where loops ask whether the turn has ended. */
export function fillerLeaving(left: number): number {
  return (1 << 16) - 1024 - left;
}
