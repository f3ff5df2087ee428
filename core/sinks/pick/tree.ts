import { Key } from '../columns/key.ts';
import type { KeptParts, RowLayout } from '../../reading/sink-methods.ts';
import type { RecordId, Sink } from '../../reading/sink.ts';

/** Keys of an object that are remembered, in order; further keys are looked up one by one. */
const MAX_KEYS = 128;

/** A path to a value: keys from the root, joined by dots or as an array. Lists count for nothing: a path leads to each of their items. */
export type PickPath = string | readonly string[];

/** A key of the objects at a place, and what is wanted of its values; undefined if nothing is. */
export interface PickedKey {
  readonly text: string;
  readonly value: PickNode | undefined;
}

interface KnownKey extends PickedKey {
  readonly key: Key;
  index: number;
}

/** A record whose keys were defined: what the sink receives of it. */
export interface PickedRecord {
  /** The handle of the record with the kept keys only. */
  readonly id: RecordId;
  /** By field: its number among the kept ones, −1 if it is dropped, and what is wanted of its values. */
  readonly fields: Int32Array;
  readonly values: readonly (PickNode | undefined)[];
  readonly layout: RowLayout;
}

/** A place that paths lead to or through: its values are wanted whole, or some keys of its objects. */
export class PickNode implements KeptParts {
  /** True if the values are wanted as they are. */
  isWhole = false;
  readonly children = new Map<string, PickNode>();
  /** The keys seen so far, in the order of the objects. */
  readonly #keys: KnownKey[] = [];
  readonly #byText = new Map<string, KnownKey>();
  /** Index of the key that is expected next in the open object; a node has one at a time. */
  #next = 0;
  #layout: RowLayout | undefined;
  readonly #records: PickedRecord[] = [];

  /** Adds a path below this node. */
  add(path: readonly string[]): void {
    let node: PickNode = this;
    for (const key of path) {
      const child = node.children.get(key) ?? new PickNode();
      node.children.set(key, child);
      node = child;
    }
    node.isWhole = true;
  }

  /** Begins an object. */
  begin(): void {
    this.#next = 0;
  }

  /** The next key of the open object if it is the expected one. */
  expected(view: DataView, from: number, end: number): PickedKey | undefined {
    const known = this.#keys[this.#next];
    if (known === undefined || !known.key.matches(view, from, end)) return undefined;
    this.#next += 1;
    return known;
  }

  /** The next key of the open object. */
  find(text: string): PickedKey {
    const known = this.#byText.get(text) ?? this.#learn(text);
    if (known === undefined) return { text, value: this.children.get(text) };
    this.#next = known.index + 1;
    return known;
  }

  /** The keys of the objects so far; undefined if they are too many. The same object unless there are new ones. */
  get layout(): RowLayout | undefined {
    const keys = this.#keys;
    if (keys.length >= MAX_KEYS) return undefined;
    return (this.#layout ??= { keys: keys.map(({ text }) => text), kept: keys.map(({ value }) => value !== undefined) });
  }

  /** The fields of a record at this place that a sink receives. */
  record(id: RecordId, keys: readonly string[], sink: Sink): PickedRecord {
    const known = this.#records[id];
    return known?.layout.keys === keys ? known : (this.#records[id] = this.#define(keys, sink, known?.id));
  }

  #define(keys: readonly string[], sink: Sink, unused: RecordId | undefined): PickedRecord {
    const values = keys.map((key) => this.children.get(key));
    const kept = values.map((value) => value !== undefined);
    let count = 0;
    const fields = Int32Array.from(kept, (isKept) => (isKept ? count++ : -1));
    const id = sink.defineRecord(
      keys.filter((_, index) => kept[index]),
      unused,
    );
    return { id, fields, values, layout: { keys, kept } };
  }

  /** Puts a key after the one before it. Undefined if there are too many. */
  #learn(text: string): KnownKey | undefined {
    const keys = this.#keys;
    if (keys.length >= MAX_KEYS) return undefined;
    const known = { text, value: this.children.get(text), key: Key.of(text), index: this.#next };
    keys.splice(this.#next, 0, known);
    for (let index = this.#next + 1; index < keys.length; index += 1) keys[index]!.index = index;
    this.#byText.set(text, known);
    this.#layout = undefined;
    return known;
  }
}

/** The node of the root. */
export function pickTree(paths: readonly PickPath[]): PickNode {
  const root = new PickNode();
  for (const path of paths) root.add(typeof path === 'string' ? path.split('.') : path);
  return root;
}
