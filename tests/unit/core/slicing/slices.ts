import { ReaderSlices } from '../../../../core/slicing/reader-slices.ts';
import type { ItemConsumer } from '../../../../core/slicing/sliced-decode.ts';
import { formatRevive } from '../../../../core/reading/format-revive.ts';
import { Slicer } from '../../../../core/slicing/slicer.ts';
import { DecodeSession, type SessionSetting } from '../../../../core/format/decode-session.ts';
import { ObjectSink } from '../../../../core/sinks/objects/objects.ts';

/** Result of a decode: its value, or a description of its error. */
export type Outcome = { value: unknown } | { error: unknown };

/** Yields after every piece, and counts how often. */
export class EagerSlicer extends Slicer {
  pauses = 0;
  readonly #paused: ((pauses: number) => void) | undefined;

  constructor(signal?: AbortSignal, paused?: (pauses: number) => void) {
    super(signal, { limit: 0 });
    this.#paused = paused;
  }

  override async pause(): Promise<void> {
    this.pauses += 1;
    this.#paused?.(this.pauses);
    await super.pause();
  }
}

function failure(error: unknown): Outcome {
  const { name, code, limit, offset, path } = error as Record<string, unknown>;
  if (name !== 'DecodeError' && name !== 'LimitError') throw error;
  // Between two values of an object, either key may be named; before the first, its key or none.
  const place = [...((path ?? []) as unknown[])];
  while (typeof place.at(-1) === 'string') place.pop();
  return { error: { name, code, limit, offset, place } };
}

/** Decodes all bytes without slices. */
export function inOneGo(setting: SessionSetting, bytes: Uint8Array): Outcome {
  const sink = new ObjectSink(formatRevive(setting.format, undefined));
  try {
    const session = new DecodeSession(setting, sink);
    session.push(bytes);
    session.end();
  } catch (error) {
    return failure(error);
  }
  return { value: sink.result };
}

/** Pieces of the given sizes; the last one takes the rest. */
export function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  if (at < bytes.length) pieces.push(bytes.subarray(at));
  return pieces;
}

/** Decodes chunks in slices. */
export async function inSlices(
  setting: SessionSetting,
  chunks: readonly Uint8Array[],
  { slicer = new EagerSlicer(), items }: { slicer?: Slicer; items?: ItemConsumer } = {},
): Promise<Outcome> {
  const slices = new ReaderSlices(setting, undefined, slicer, items && { items });
  try {
    for (const chunk of chunks) await slices.push(chunk);
    return { value: await slices.end() };
  } catch (error) {
    return failure(error);
  }
}
