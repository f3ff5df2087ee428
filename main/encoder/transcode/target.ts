import type { EncodeSession } from '../../../core/writing/encode.ts';
import type { RootLists, TakenItems } from '../../../core/sinks/objects/root-lists.ts';
import type { ItemConsumer, ListConsumer } from '../../slicing/sliced-decode.ts';
import type { Put } from '../stream-of.ts';

/** What takes the items of lists while they are read. */
export interface Target {
  readonly consumer: ItemConsumer | ListConsumer;
  /** Writes what is left of the value that was read, and the end. */
  close(root: unknown): Promise<void>;
}

/** What writes a part of the value. */
export interface PartWriter {
  session(): EncodeSession;
  /** Writes what a session has, in slices. */
  run(session: EncodeSession, put: Put): Promise<void>;
}

/** What writes a list at the root, or lists in the object there. */
export interface RootParts {
  readonly lists: RootLists;
  take(taken: readonly TakenItems[]): Promise<void>;
  close(root: unknown): Promise<void>;
}

export function listTarget(parts: RootParts): Target {
  return { consumer: { lists: parts.lists, take: (taken: TakenItems[]) => parts.take(taken) }, close: (root) => parts.close(root) };
}
