import { DecodeError } from '../../../errors.ts';

/** Anchor of keys, to which values cannot refer. */
const KEYS = -1;

/**
 * The ids of msgpackr's structured clones. An id belongs to the value after it, and references to the id stand for that
 * same value, also inside it.
 */
export class Anchors {
  /** The sink's anchor for each id of the input. In a sequence, each value has its own ids. */
  #anchors: Map<number, number> | undefined;
  #count = 0;
  /** Keys of record definitions, by their id. */
  #keys: Map<number, readonly string[]> | undefined;
  /** Ids of tagged values that are still open. Such values exist only once complete, so references to them fail. */
  #unfinished: Set<number> | undefined;
  /** The id of each open tagged value, or −1. */
  readonly #tagged: number[] = [];
  /** The latest id, and the offset of the value that it belongs to. */
  #latest = -1;
  #latestOffset = -1;

  /** Gives `id` to the value at `valueOffset`, and returns its anchor. Errors name `offset`. */
  add(id: number, valueOffset: number, offset: number): number {
    this.#claim(id, this.#count, offset);
    this.#latest = id;
    this.#latestOffset = valueOffset;
    this.#count += 1;
    return this.#count - 1;
  }

  /** The anchor for a reference to `id`. */
  find(id: number, offset: number): number {
    const anchor = this.#anchors?.get(id) ?? KEYS;
    if (anchor === KEYS) fail('malformed', `reference to unknown id ${id}`, offset);
    if (this.#unfinished?.has(id)) {
      fail('unsupported', 'an error or an extension refers to itself', offset);
    }
    return anchor;
  }

  /** Opens a tagged value at `offset`. */
  openTagged(offset: number): void {
    const id = this.#latestOffset === offset ? this.#latest : -1;
    if (id >= 0) (this.#unfinished ??= new Set()).add(id);
    this.#tagged.push(id);
  }

  /** Closes the innermost tagged value. */
  closeTagged(): void {
    const id = this.#tagged.pop()!;
    if (id >= 0) this.#unfinished!.delete(id);
  }

  /** Gives `id` to the keys of a record definition that follow. */
  addKeys(id: number, offset: number): void {
    this.#claim(id, KEYS, offset);
  }

  keepKeys(id: number, keys: readonly string[]): void {
    (this.#keys ??= new Map()).set(id, keys);
  }

  findKeys(id: number, offset: number): readonly string[] {
    return this.#keys?.get(id) ?? fail('malformed', `reference to unknown id ${id}`, offset);
  }

  /** Forgets all ids before the next value of a sequence. */
  forget(): void {
    this.#anchors?.clear();
    this.#keys?.clear();
  }

  #claim(id: number, anchor: number, offset: number): void {
    this.#anchors ??= new Map();
    if (this.#anchors.has(id)) fail('malformed', `duplicate id ${id}`, offset);
    this.#anchors.set(id, anchor);
  }
}

function fail(code: DecodeError['code'], reason: string, offset: number): never {
  throw new DecodeError(code, reason, { offset });
}
