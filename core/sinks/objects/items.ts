import { isCounted, OBJECT, type OpenContainer } from './frame.ts';

/** A list that is being built: the items that it holds, and how many whole ones it has had. */
export interface OpenList {
  readonly items: unknown[];
  readonly count: number;
}

/** How many items of an open list are whole, where `inner` is the container open in it. */
export function wholeItems(list: OpenContainer, inner: OpenContainer | undefined): number {
  return inner !== undefined && isCounted(inner) ? list.index - 1 : list.index;
}

/** Takes items out of lists while they are being built. What is left are empty lists. */
export interface EmittedList {
  /** Whether there was such a list. */
  readonly found: boolean;
  /** A list has opened. */
  begin(list: OpenContainer, root: OpenContainer): void;
  /** A list ends. */
  end(list: OpenContainer): void;
  /** What can be taken, where `innermost` is what is being read; `anchored` are the values that may be referred to. */
  take(innermost: OpenContainer, root: OpenContainer, anchored: ReadonlyMap<number, unknown> | undefined): unknown[];
}

/** Takes the items of one list. */
export class EmittedItems implements EmittedList {
  found = false;
  /** Keys from the root. */
  readonly #path: readonly string[];
  /** The list, while it is open. */
  #list: OpenContainer | undefined;
  /** Items of a list that has ended, until they are taken. */
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

  /** The whole items. */
  take(innermost: OpenContainer): unknown[] {
    const list = this.#list;
    const ended = this.#ended;
    if (ended.length > 0) this.#ended = [];
    if (list === undefined) return ended;
    const items = cut(list, wholeItems(list, list === innermost ? undefined : list.inner));
    return ended.length > 0 ? ended.concat(items) : items;
  }
}

/** The first items of a list, which are then no longer in it. */
export function cut(list: OpenContainer, count: number): unknown[] {
  if (count === 0) return [];
  const target = list.target as unknown[];
  const items = target.slice(0, count);
  const left = list.index - count;
  if (left > 0) target[0] = target[count];
  target.length = left;
  list.index = left;
  list.given += count;
  return items;
}

/** The key that the list begun last belongs to. */
function keyOf(frame: OpenContainer): unknown {
  if (frame.gathered !== undefined) return frame.gathered.keys[frame.index - 1];
  return frame.place === OBJECT ? frame.key : undefined;
}
