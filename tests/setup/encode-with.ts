import { joined } from '../../worker/bytes/byte-input.ts';
import { EncodeError } from '../../worker/errors.ts';
import type { FormatWriter } from '../../worker/formats/writer.ts';
import { type Limits, resolveLimits } from '../../worker/limits.ts';

/** How `encodeWith` encodes. */
export interface EncodeSetting {
  options?: object;
  schema?: unknown;
  limits?: Partial<Limits>;
  /** Stops wherever the writer can be stopped. */
  inTurns?: boolean;
}

/** What a writer makes of a value. Each chunk is copied as it is given out, so that one that changes later gives itself away. */
export function encodeWith(writer: unknown, value: unknown, { options = {}, schema, limits, inTurns = false }: EncodeSetting = {}): Uint8Array<ArrayBuffer> {
  const made = (writer as FormatWriter<object, unknown>).createWriter(options, resolveLimits(limits), schema);
  const session = made.session('format', inTurns ? () => true : undefined).write(value);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  while (!session.isWhole) {
    session.run();
    chunks.push(...session.take().map((chunk) => chunk.slice()));
  }
  return joined(chunks);
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
