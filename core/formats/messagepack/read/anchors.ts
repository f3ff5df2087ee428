import { DecodeError } from '../../../errors.ts';

/** The anchor of keys, to which values cannot refer. */
const KEYS = -1;

/**
 * The ids of msgpackr's structured clones. An id belongs to the value behind it, and references to the id stand for
 * that same value, also inside it.
 */
export class Anchors {
  /** By the id in the input the anchor that the sink knows: in a sequence each value has ids of its own. */
  #anchors: Map<number, number> | undefined;
  #count = 0;
  /** By their id the keys of record definitions. */
  #keys: Map<number, readonly string[]> | undefined;
  /** Tagged values exist only when they are whole; until then these ids cannot be referred to. */
  #unfinished: Set<number> | undefined;
  /** For each open tagged value its id or −1. */
  readonly #tagged: number[] = [];
  /** The id read last, and the offset of the value that it is for. */
  #latest = -1;
  #latestOffset = -1;

  /** Gives `id` to the value at `valueOffset`; returns its anchor. `offset` is for the error. */
  add(id: number, valueOffset: number, offset: number): number {
    this.#claim(id, this.#count, offset);
    this.#latest = id;
    this.#latestOffset = valueOffset;
    this.#count += 1;
    return this.#count - 1;
  }

  /** The anchor that a reference to `id` means. */
  find(id: number, offset: number): number {
    const anchor = this.#anchors?.get(id) ?? KEYS;
    if (anchor === KEYS) fail('malformed', `reference to unknown id ${id}`, offset);
    if (this.#unfinished?.has(id)) {
      fail('unsupported', 'a reference from inside an error or an extension to itself', offset);
    }
    return anchor;
  }

  /** A tagged value begins at `offset`. */
  openTagged(offset: number): void {
    const id = this.#latestOffset === offset ? this.#latest : -1;
    if (id >= 0) (this.#unfinished ??= new Set()).add(id);
    this.#tagged.push(id);
  }

  /** The innermost tagged value is whole. */
  closeTagged(): void {
    const id = this.#tagged.pop()!;
    if (id >= 0) this.#unfinished!.delete(id);
  }

  /** Gives `id` to the keys of a record definition, which come. */
  addKeys(id: number, offset: number): void {
    this.#claim(id, KEYS, offset);
  }

  keepKeys(id: number, keys: readonly string[]): void {
    (this.#keys ??= new Map()).set(id, keys);
  }

  findKeys(id: number, offset: number): readonly string[] {
    return this.#keys?.get(id) ?? fail('malformed', `reference to unknown id ${id}`, offset);
  }

  /** Another value of a sequence begins. */
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
