import { Level } from './level.ts';
import type { JsonObject } from './values.ts';

/** Stands for the key of the member that is open where a run begins. No text has it. */
export const CONTINUED = `continued ${crypto.getRandomValues(new Uint32Array(4)).join()}`;

/** What has been read of a JSON text: the containers that are open, and the value in the end. */
export class JsonTree {
  /** The open containers, outermost first. */
  readonly levels: Level[] = [];
  /** The value, once it is whole. */
  value: unknown;
  isWhole = false;
  /** Items so far of the list that has most, or of the one that is given out. */
  rows = 0;
  /** Whether there was a list at the consumer's path, so far. */
  found = false;
  readonly #path: readonly string[] | undefined;
  #ready: unknown[] = [];

  /** `path` leads to the list whose items are given out. */
  constructor(path: readonly string[] | undefined) {
    this.#path = path;
  }

  get innermost(): Level {
    return this.levels.at(-1)!;
  }

  /** The items that are to be given out now. */
  takeReady(): unknown[] | undefined {
    if (this.#ready.length === 0) return undefined;
    const ready = this.#ready;
    this.#ready = [];
    this.rows += ready.length;
    return ready;
  }

  /** A container opens with a bracket before the position `start`. */
  open(bracket: number, start: number): void {
    const level = new Level(bracket, start, this.levels.at(-1), this.#path);
    this.levels.push(level);
    if (level.isConsumer) this.found = true;
  }

  /** The innermost container ends. */
  close(): Level {
    const level = this.levels.pop()!;
    const around = this.levels.at(-1);
    if (around) {
      around.parsed += level.parsed;
      around.openedBytes = level.parsed;
    }
    this.add(level.value);
    return level;
  }

  /** A value is whole that was not parsed in a run. */
  add(value: unknown): void {
    const level = this.levels.at(-1);
    if (level === undefined) {
      this.value = value;
      this.isWhole = true;
      return;
    }
    level.addValue(value);
    if (level.isConsumer) this.#give([value]);
    else this.#count(level);
  }

  /**
   * Adds what a run has read: the value of the container at `base`, from where the run began. Of the containers in it
   * that were open then, each is the first item of the one around it, or its member `CONTINUED`. Those down to `end` are
   * open behind the run, each the last item of the list around it.
   */
  addRun(base: number, end: number, value: unknown): void {
    const parts = this.#partsOf(base, value);
    let last = this.levels.length - 1;
    // Open behind the run as before are those in which no other item has begun.
    let open = base;
    while (open < end && (parts[open - base] as unknown[]).length === 1) open += 1;
    for (; last > open; last -= 1) {
      this.#addPart(this.levels[last]!, parts[last - base]!, last - base === parts.length - 1 ? 0 : 1);
      this.close();
    }
    let part = parts[open - base]!;
    let from = open - base === parts.length - 1 ? 0 : 1;
    for (let index = open; ; index += 1) {
      const inner = index < end ? (part as unknown[]).pop() : undefined;
      this.#addPart(this.levels[index]!, part, from);
      if (inner === undefined) return;
      this.levels.push(this.levels[index]!.innerList());
      part = inner as unknown[];
      from = 0;
    }
  }

  /** Adds what was read of the innermost list, and of the lists that are open in it, each in the one before. */
  addLists(lists: readonly unknown[][]): void {
    for (const [depth, items] of lists.entries()) {
      if (depth > 0) this.levels.push(this.innermost.innerList());
      this.#addPart(this.innermost, items, 0);
    }
  }

  /** What a run has read of each container that was open where it began, from `base` on. */
  #partsOf(base: number, value: unknown): (unknown[] | JsonObject)[] {
    const parts: (unknown[] | JsonObject)[] = [];
    let part = value as unknown[] | JsonObject;
    for (let index = base; index < this.levels.length - 1; index += 1) {
      if (Array.isArray(part)) {
        parts.push(part);
        part = part[0] as unknown[] | JsonObject;
      } else {
        const { [CONTINUED]: inner, ...members } = part;
        parts.push(members);
        part = inner as unknown[] | JsonObject;
      }
    }
    parts.push(part);
    return parts;
  }

  /** Adds members, or the items from `from` on. */
  #addPart(level: Level, part: unknown[] | JsonObject, from: number): void {
    if (Array.isArray(part)) {
      level.addItems(part, from);
      if (level.isConsumer) this.#give(from === 0 ? part : part.slice(from));
      else this.#count(level);
      return;
    }
    const items = level.addMembers(part);
    if (items === undefined) return;
    this.found = true;
    this.#give(items);
  }

  #give(items: unknown[]): void {
    this.#ready = this.#ready.length === 0 ? items : this.#ready.concat(items);
  }

  #count({ length }: Level): void {
    if (this.#path === undefined && length > this.rows) this.rows = length;
  }
}
