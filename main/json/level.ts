import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET } from './bytes.ts';
import type { ItemSearch } from './cuts.ts';
import { addItems, addMembers, type JsonObject, setMember } from './values.ts';

/** Of the bytes of a container, a part so small may be parsed in vain by guessing. */
const WASTED_PART = 4;

/** A list or object that is longer than a piece, and so is put together. */
export class Level {
  /** The brackets around its content. */
  readonly opening: '[' | '{';
  readonly closing: number;
  /** In an object, the key of the member that comes next. */
  key = '';
  /** It is the list whose items are given out, and not kept. */
  readonly isConsumer: boolean;
  /** Bytes of its items or members that were parsed, and of guesses that were wrong. */
  parsed = 0;
  wasted = 0;
  /** Items that are like no other may be short, too. */
  isMixed = false;
  /** Finds items or members that are like the last one that was opened. */
  search: ItemSearch | undefined;
  /** How many bytes had been parsed then, and how long it was; 0 before one has ended. */
  openedAt = 0;
  openedBytes = 0;
  /** How many of its items or members were opened. */
  opened = 0;
  #list: unknown[] = [];
  #object: JsonObject | undefined;
  #isEmpty = true;
  /** How many keys of the consumer's path lead here; −1 where it leads elsewhere. */
  readonly #onPath: number;
  readonly #path: readonly string[];

  /** Where its content begins, by the positions at that time. */
  readonly start: number;

  /** Opens with a bracket before `start`, in the container `parent`; `path` leads to the list whose items are given out. */
  constructor(bracket: number, start: number, parent: Level | undefined, path: readonly string[] | undefined) {
    const isObject = bracket === OPEN_BRACE;
    this.start = start;
    this.opening = isObject ? '{' : '[';
    this.closing = isObject ? CLOSE_BRACE : CLOSE_BRACKET;
    if (isObject) this.#object = {};
    this.#path = path ?? [];
    this.#onPath = path === undefined ? -1 : parent === undefined ? 0 : parent.#innerOnPath();
    this.isConsumer = !isObject && path !== undefined && this.#onPath === path.length;
  }

  get isObject(): boolean {
    return this.#object !== undefined;
  }

  get value(): unknown {
    return this.#object ?? this.#list;
  }

  /** How many items a list keeps. */
  get length(): number {
    return this.#list.length;
  }

  /** Whether guesses of where its items end have mostly been right. */
  get mayGuess(): boolean {
    return this.wasted <= this.parsed / WASTED_PART;
  }

  /** A list that is an item of this one. */
  innerList(): Level {
    return new Level(OPEN_BRACKET, NOWHERE, this, this.#onPath < 0 ? undefined : this.#path);
  }

  #innerOnPath(): number {
    return this.isObject && this.#onPath >= 0 && this.#path[this.#onPath] === this.key ? this.#onPath + 1 : -1;
  }

  /** Adds an item, or a member with the key at hand. */
  addValue(value: unknown): void {
    if (this.#object) setMember(this.#object, this.key, value);
    else if (!this.isConsumer) this.#list.push(value);
    this.#isEmpty = false;
  }

  /** Where items of a list may be put before they are added. */
  listToFill(): unknown[] {
    return this.isConsumer ? [] : this.#list;
  }

  /** Adds the items from `from` on, whose array it may keep, or has filled already. */
  addItems(items: unknown[], from = 0): void {
    if (this.isConsumer || from === items.length) return;
    if (this.#isEmpty && from === 0) this.#list = items;
    else if (items !== this.#list) addItems(this.#list, items, from);
    this.#isEmpty = false;
  }

  /** Adds the members of an object, which it may keep. Returns the items that are to be given out, if the list is among them. */
  addMembers(members: JsonObject): unknown[] | undefined {
    const items = this.#onPath < 0 ? undefined : takeItems(members, this.#path.slice(this.#onPath));
    if (this.#isEmpty) this.#object = members;
    else addMembers(this.#object!, members);
    this.#isEmpty = false;
    return items;
  }
}

/** No position: of a list whose beginning is in a piece that was parsed. */
const NOWHERE = -1;

/** The list at a path, which an empty one replaces. */
function takeItems(members: JsonObject, path: readonly string[]): unknown[] | undefined {
  let inner: unknown = members;
  for (const key of path.slice(0, -1)) {
    if (!hasMember(inner, key)) return undefined;
    inner = inner[key];
  }
  const key = path.at(-1);
  if (key === undefined || !hasMember(inner, key) || !Array.isArray(inner[key])) return undefined;
  const items: unknown[] = inner[key];
  setMember(inner, key, []);
  return items;
}

function hasMember(value: unknown, key: string): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}
