import { Level } from './level.ts';
import { addItems } from './grow.ts';
import type { JsonObject } from './values.ts';

let continued: string | undefined;

/**
 * Key of the open member at the start of a run. Random, so that no text contains it; made with the first run, since Cloudflare's
 * runtime makes no random numbers while it loads modules.
 */
export function continuedKey(): string {
  return (continued ??= `continued ${crypto.getRandomValues(new Uint32Array(4)).join()}`);
}

/** The value read so far, and its open containers. */
export class JsonTree {
  /** The open containers, outermost first. */
  readonly levels: Level[] = [];
  /** The value, once complete. */
  value: unknown;
  isComplete = false;
  /** Number of items of the longest list, or of the emitted list. */
  rows = 0;
  /** True once a list was found at the consumer's path. */
  found = false;
  readonly #path: readonly string[] | undefined;
  #ready: unknown[] = [];

  /** `path` leads to the list whose items are emitted. */
  constructor(path: readonly string[] | undefined) {
    this.#path = path;
  }

  get innermost(): Level {
    return this.levels.at(-1)!;
  }

  /** Returns the items to emit now. */
  takeReady(): unknown[] | undefined {
    if (this.#ready.length === 0) return undefined;
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Opens a container whose content begins at `start`. */
  open(bracket: number, start: number): void {
    const level = new Level(bracket, start, this.levels.at(-1), this.#path);
    this.levels.push(level);
    if (level.isConsumer) this.found = true;
  }

  /** Closes the innermost container. */
  close(): Level {
    const level = this.levels.pop()!;
    const parent = this.levels.at(-1);
    if (parent) {
      parent.parsed += level.parsed;
      parent.openedBytes = level.parsed;
    }
    this.add(level.value);
    return level;
  }

  /** Adds a value that was not part of a run. */
  add(value: unknown): void {
    const level = this.levels.at(-1);
    if (level === undefined) {
      this.value = value;
      this.isComplete = true;
      return;
    }
    level.addValue(value);
    if (level.isConsumer) this.#emit([value]);
    else this.#count(level);
  }

  /**
   * Adds the result of a run: the value of the container at `base`, from the start of the run. Each container that was
   * open at the start is the first item of its parent, or its member `continuedKey()`. Containers down to `end` are open
   * after the run, each the last item of its parent list.
   */
  addRun(base: number, end: number, value: unknown): void {
    const parts = this.#partsOf(base, value);
    let last = this.levels.length - 1;
    // Containers without a second item are still the ones open before the run.
    let open = base;
    while (open < end && (parts[open - base] as unknown[]).length === 1) open += 1;
    for (; last > open; last -= 1) {
      this.#addPart(this.levels[last]!, parts[last - base]!, last - base === parts.length - 1 ? 0 : 1);
      this.close();
    }
    let part = parts[open - base]!;
    let from = open - base === parts.length - 1 ? 0 : 1;
    for (let index = open; ; index += 1) {
      const child = index < end ? (part as unknown[]).pop() : undefined;
      this.#addPart(this.levels[index]!, part, from);
      if (child === undefined) return;
      this.levels.push(this.levels[index]!.nestedList());
      part = child as unknown[];
      from = 0;
    }
  }

  /** Adds items of the innermost list, and the lists open inside it, outermost first. */
  addLists(lists: readonly unknown[][]): void {
    for (const [depth, items] of lists.entries()) {
      if (depth > 0) this.levels.push(this.innermost.nestedList());
      this.#addPart(this.innermost, items, 0);
    }
  }

  /** Splits a run's result into the parts of each container that was open at its start, from `base` on. */
  #partsOf(base: number, value: unknown): (unknown[] | JsonObject)[] {
    const parts: (unknown[] | JsonObject)[] = [];
    let part = value as unknown[] | JsonObject;
    for (let index = base; index < this.levels.length - 1; index += 1) {
      if (Array.isArray(part)) {
        parts.push(part);
        part = part[0] as unknown[] | JsonObject;
      } else {
        const { [continuedKey()]: child, ...members } = part;
        parts.push(members);
        part = child as unknown[] | JsonObject;
      }
    }
    parts.push(part);
    return parts;
  }

  /** Adds members, or the items from index `from` on. */
  #addPart(level: Level, part: unknown[] | JsonObject, from: number): void {
    if (Array.isArray(part)) {
      level.addItems(part, from);
      if (level.isConsumer) this.#emit(from === 0 ? part : part.slice(from));
      else this.#count(level);
      return;
    }
    const items = level.addMembers(part);
    if (items === undefined) return;
    this.found = true;
    this.#emit(items);
  }

  #emit(items: unknown[]): void {
    this.rows += items.length;
    if (this.#ready.length === 0) this.#ready = items;
    else addItems(this.#ready, items);
  }

  #count({ length }: Level): void {
    if (this.#path === undefined && length > this.rows) this.rows = length;
  }
}
