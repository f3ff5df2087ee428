import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET } from '../../bytes/text/json-bytes.ts';
import type { ItemSearch } from './cuts.ts';
import { addItems, addMembers, setMember } from './grow.ts';
import type { JsonObject } from './values.ts';

/** Fraction (1/n) of a container's bytes that wrong guesses may waste. */
const WASTED_PART = 4;

/** An open list or object that is longer than a piece, and is assembled from several. */
export class Level {
  /** Brackets around its content. */
  readonly opening: '[' | '{';
  readonly closing: number;
  /** Key of the next member, in an object. */
  key = '';
  /** True for the list whose items are emitted instead of kept. */
  readonly isConsumer: boolean;
  /** Bytes of its content that were parsed, and bytes of it wasted on wrong guesses. */
  parsed = 0;
  wasted = 0;
  /** True if items without a similar neighbour may be short, too. */
  isMixed = false;
  /** Finds items similar to the last one that was opened. */
  search: ItemSearch | undefined;
  /** Value of `JsonInput.parsed` when that item was opened, and the item's length; 0 before one has ended. */
  openedAt = 0;
  openedBytes = 0;
  /** Number of its items or members that were opened. */
  opened = 0;
  #list: unknown[] = [];
  #object: JsonObject | undefined;
  #isEmpty = true;
  /** Number of keys of the consumer's path that lead to this container; −1 if it is not on the path. */
  readonly #onPath: number;
  readonly #path: readonly string[];

  /** Position of its content when it was opened. */
  readonly start: number;

  /**
   * Opens the container inside `parent` with a bracket before `start`. `path` leads to the list whose items are
   * emitted.
   */
  constructor(bracket: number, start: number, parent: Level | undefined, path: readonly string[] | undefined) {
    const isObject = bracket === OPEN_BRACE;
    this.start = start;
    this.opening = isObject ? '{' : '[';
    this.closing = isObject ? CLOSE_BRACE : CLOSE_BRACKET;
    if (isObject) this.#object = {};
    this.#path = path ?? [];
    this.#onPath = path === undefined ? -1 : parent === undefined ? 0 : parent.#childOnPath();
    this.isConsumer = !isObject && path !== undefined && this.#onPath === path.length;
  }

  get isObject(): boolean {
    return this.#object !== undefined;
  }

  get value(): unknown {
    return this.#object ?? this.#list;
  }

  /** Number of items the list keeps. */
  get length(): number {
    return this.#list.length;
  }

  /** True if most guesses of its item boundaries were right. */
  get mayGuess(): boolean {
    return this.wasted <= this.parsed / WASTED_PART;
  }

  /** Creates the level of a list that is an item of this one. */
  nestedList(): Level {
    return new Level(OPEN_BRACKET, NOWHERE, this, this.#onPath < 0 ? undefined : this.#path);
  }

  #childOnPath(): number {
    return this.isObject && this.#onPath >= 0 && this.#path[this.#onPath] === this.key ? this.#onPath + 1 : -1;
  }

  /** Adds an item, or a member with the current key. */
  addValue(value: unknown): void {
    if (this.#object) setMember(this.#object, this.key, value);
    else if (!this.isConsumer) this.#list.push(value);
    this.#isEmpty = false;
  }

  /** List that items may be read into before they are added. */
  listToFill(): unknown[] {
    return this.isConsumer ? [] : this.#list;
  }

  /** Adds the items from index `from` on. May keep the array, which may also be the `listToFill`. */
  addItems(items: unknown[], from = 0): void {
    if (this.isConsumer || from === items.length) return;
    if (this.#isEmpty && from === 0) this.#list = items;
    else if (items !== this.#list) addItems(this.#list, items, from);
    this.#isEmpty = false;
  }

  /**
   * Adds the members of an object, and may keep the object. Returns the items to emit if they include the consumer's
   * list.
   */
  addMembers(members: JsonObject): unknown[] | undefined {
    const items = this.#onPath < 0 ? undefined : takeItems(members, this.#path.slice(this.#onPath));
    if (this.#isEmpty) this.#object = members;
    else addMembers(this.#object!, members);
    this.#isEmpty = false;
    return items;
  }
}

/** Position of a list that began in an already parsed piece. */
const NOWHERE = -1;

/** Takes the list at a path, and leaves an empty one there. */
function takeItems(members: JsonObject, path: readonly string[]): unknown[] | undefined {
  let holder: unknown = members;
  for (const key of path.slice(0, -1)) {
    if (!hasMember(holder, key)) return undefined;
    holder = holder[key];
  }
  const key = path.at(-1);
  if (key === undefined || !hasMember(holder, key) || !Array.isArray(holder[key])) return undefined;
  const items: unknown[] = holder[key];
  setMember(holder, key, []);
  return items;
}

function hasMember(value: unknown, key: string): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}
