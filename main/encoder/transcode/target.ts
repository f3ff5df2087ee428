import type { EncodeSession } from '../../../core/writing/encode.ts';
import type { RootLists, TakenItems } from '../../../core/sinks/objects/root-lists.ts';
import type { ItemConsumer, ListConsumer } from '../../../core/slicing/sliced-decode.ts';
import type { Put } from '../stream-of.ts';

/** Receives the items of lists while they are read. */
export interface Target {
  readonly consumer: ItemConsumer | ListConsumer;
  /** Writes the rest of the value, and the end. */
  close(root: unknown): Promise<void>;
}

/** Writes parts of the value. */
export interface PartWriter {
  session(): EncodeSession;
  /** Writes a session's values, in slices. */
  run(session: EncodeSession, put: Put): Promise<void>;
}

/** Writes a root list, or lists in the root object. */
export interface RootParts {
  readonly lists: RootLists;
  take(taken: readonly TakenItems[]): Promise<void>;
  close(root: unknown): Promise<void>;
}

export function listTarget(parts: RootParts): Target {
  return { consumer: { lists: parts.lists, take: (taken: TakenItems[]) => parts.take(taken) }, close: (root) => parts.close(root) };
}
