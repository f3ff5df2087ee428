import { isCounted, OBJECT, type OpenContainer } from './frame.ts';

/** A list being built: the items that it holds, and the number of complete items it has had. */
export interface OpenList {
  readonly items: unknown[];
  readonly count: number;
}

/** Number of complete items of an open list; `inner` is the container open inside it. */
export function completeItems(list: OpenContainer, inner: OpenContainer | undefined): number {
  return inner !== undefined && isCounted(inner) ? list.index - 1 : list.index;
}

/** Takes items out of lists while they are being built, which leaves empty lists. */
export interface EmittedList {
  /** True if such a list was found. */
  readonly found: boolean;
  /** Called when a list opens. */
  begin(list: OpenContainer, root: OpenContainer): void;
  /** Called when a list ends. */
  end(list: OpenContainer): void;
  /**
   * The items that can be taken. `innermost` is the container being read; `anchored` are the values that references may
   * name.
   */
  take(innermost: OpenContainer, root: OpenContainer, anchored: ReadonlyMap<number, unknown> | undefined): unknown[];
}

/** Takes the items of one list. */
export class EmittedItems implements EmittedList {
  found = false;
  /** Keys from the root. */
  readonly #path: readonly string[];
  /** The list, while it is open. */
  #list: OpenContainer | undefined;
  /** Items of an ended list, until they are taken. */
  #ended: unknown[] = [];

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  begin(list: OpenContainer, root: OpenContainer): void {
    let frame = list.outer!;
    for (let step = this.#path.length - 1; step >= 0; step -= 1) {
      if (frame === root || keyOf(frame) !== this.#path[step]) return;
      frame = frame.outer!;
    }
    if (frame !== root) return;
    this.#list = list;
    this.found = true;
  }

  end(list: OpenContainer): void {
    if (list !== this.#list) return;
    const items = cut(list, list.index);
    this.#ended = this.#ended.length > 0 ? this.#ended.concat(items) : items;
    this.#list = undefined;
  }

  /** Takes the complete items. */
  take(innermost: OpenContainer): unknown[] {
    const list = this.#list;
    const ended = this.#ended;
    if (ended.length > 0) this.#ended = [];
    if (list === undefined) return ended;
    const items = cut(list, completeItems(list, list === innermost ? undefined : list.inner));
    return ended.length > 0 ? ended.concat(items) : items;
  }
}

/** Removes the first items of a list and returns them. */
export function cut(list: OpenContainer, count: number): unknown[] {
  if (count === 0) return [];
  const target = list.target as unknown[];
  const items = target.slice(0, count);
  const left = list.index - count;
  if (left > 0) target[0] = target[count];
  target.length = left;
  list.index = left;
  list.taken += count;
  return items;
}

/** Key of the list begun last. */
function keyOf(frame: OpenContainer): unknown {
  if (frame.gathered !== undefined) return frame.gathered.keys[frame.index - 1];
  return frame.place === OBJECT ? frame.key : undefined;
}
