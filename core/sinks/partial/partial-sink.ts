import { decodeText } from '../../bytes/text/text.ts';
import { DecodeError } from '../../errors.ts';
import { makeBinary } from '../../reading/binary.ts';
import type { ReviveTag } from '../../reading/revive.ts';
import type { ConstantList, KeyList } from '../../reading/sink-methods.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../../reading/sink.ts';
import { ARRAY, MAP_KEY, MAP_VALUE, NO_ANCHOR, OBJECT, OpenContainer, type Place, SET, TAGGED } from '../objects/frame.ts';
import { reorder } from '../../reading/shapes.ts';

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);

/** No value: it has not begun. */
export const NONE: unique symbol = Symbol('none');

/** Copying a container, or an entry of an object, a Map or a Set, takes as long as copying this many items of an array. */
const ENTRY_COST = 16;

/** Key of an open container in the one around it. */
export type Step = string | number;

/**
 * Builds plain values of which a snapshot can be taken at any time. An open container holds its finished values only; the
 * container around it receives it when it ends. From then on, neither changes it.
 */
export class PartialSink implements Sink {
  readonly prefersText = true;
  checkText: Sink['checkText'];
  /** Grows with each value and each container that begins or ends. */
  changes = 0;
  #bytes = NO_BYTES;
  #view = NO_VIEW;
  #base = 0;
  readonly #root = new OpenContainer(undefined);
  #frame = this.#root;
  #anchor = NO_ANCHOR;
  #anchored: Map<number, unknown> | undefined;
  #records: (readonly string[])[] | undefined;
  readonly #revive: ReviveTag | undefined;

  /** `revive` makes the values of all tags, and throws a DecodeError for a content without a value. Formats without tags need none. */
  constructor(revive?: ReviveTag) {
    this.#root.target = NONE;
    this.#revive = revive;
  }

  /** True once the value at the root has ended. */
  get complete(): boolean {
    return this.#root.target !== NONE;
  }

  /** Cost of a snapshot: the number of array items to copy, or the same effort. */
  get cost(): number {
    let cost = 0;
    for (let frame: OpenContainer | undefined = this.#frame; frame !== undefined; frame = frame.outer) {
      cost += ENTRY_COST + (frame.place === ARRAY ? frame.index : frame.index * ENTRY_COST);
    }
    return cost;
  }

  /** Path of the value that is being read, outermost step first. `begun` is true if that is a scalar of the innermost container. */
  openPath(begun: boolean): Step[] {
    const path: Step[] = [];
    for (let frame = this.#root; frame !== this.#frame || begun; frame = frame.inner!) {
      const step = stepOf(frame);
      if (step !== undefined) path.push(step);
      else if (frame !== this.#root) break;
      if (frame === this.#frame) break;
    }
    return path;
  }

  /**
   * The value so far: a copy of each open container, with `open`, the unfinished value in the innermost one, and all finished
   * values themselves. `NONE` if the value has not begun.
   */
  snapshot(open: unknown): unknown {
    let value = open;
    for (let frame = this.#frame; frame !== this.#root; frame = frame.outer!) value = copyOf(frame, value);
    return this.#root.target === NONE ? value : this.#root.target;
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#base = base;
  }

  null(): void {
    this.#put(null);
  }

  undefined(): void {
    this.#put(undefined);
  }

  boolean(value: boolean): void {
    this.#put(value);
  }

  integer(value: number): void {
    this.#put(value);
  }

  float(value: number): void {
    this.#put(value);
  }

  bigint(value: bigint): void {
    this.#put(value);
  }

  string(_start: number, from: number, end: number): void {
    this.#put(decodeText(this.#bytes, this.#view, from, end, this.#base));
  }

  text(value: string, start: number): void {
    this.checkText?.(value.length, start);
    this.#put(value);
  }

  constant(list: ConstantList, index: number): void {
    this.#put(list.text(index));
  }

  listedKey(list: KeyList, index: number): void {
    this.#frame.key = list.text(index);
  }

  binary(kind: BinaryKind, _start: number, from: number, end: number): void {
    this.#putAnchored(makeBinary(kind, this.#bytes, from, end));
  }

  date(milliseconds: number): void {
    this.#putAnchored(new Date(milliseconds));
  }

  beginArray(): void {
    this.#open(ARRAY, []);
  }

  endArray(): void {
    this.#close();
  }

  beginSet(): void {
    this.#open(SET, new Set());
  }

  endSet(): void {
    this.#close();
  }

  beginObject(): void {
    this.#open(OBJECT, {});
  }

  endObject(): void {
    this.#close();
  }

  key(_start: number, from: number, end: number): void {
    this.#frame.key = decodeText(this.#bytes, this.#view, from, end, this.#base);
  }

  keyText(value: string): void {
    this.#frame.key = value;
  }

  defineRecord(keys: readonly string[]): RecordId {
    return (this.#records ??= []).push(keys) - 1;
  }

  beginRecord(record: RecordId): void {
    this.#open(OBJECT, {});
    const frame = this.#frame;
    frame.keys = this.#records![record]!;
    frame.field = -1;
    frame.disordered = false;
  }

  field(index: number): void {
    const frame = this.#frame;
    if (index < frame.field) frame.disordered = true;
    frame.field = index;
    frame.key = frame.keys![index]!;
  }

  endRecord(): void {
    const { disordered, target, keys } = this.#frame;
    if (disordered) reorder(target as Record<string, unknown>, keys!);
    this.#close();
  }

  beginMap(): void {
    this.#open(MAP_KEY, new Map());
  }

  endMap(): void {
    this.#close();
  }

  beginTagged(tag: Tag): void {
    const anchor = this.#anchor;
    this.#anchor = NO_ANCHOR;
    this.#open(TAGGED, NONE);
    this.#frame.key = tag;
    this.#frame.anchor = anchor;
  }

  endTagged(end: number): void {
    const frame = this.#frame;
    const value = this.#revived(frame.key as Tag, frame.target, end);
    this.#frame = frame.outer!;
    this.#anchor = frame.anchor;
    this.#putAnchored(value);
  }

  anchor(id: number): void {
    this.#anchor = id;
  }

  /** Throws for a container that is still open: a value that contains itself has no snapshot. */
  reference(id: number, start: number): void {
    if (!this.#anchored?.has(id)) throw new DecodeError('malformed', `reference to unknown id ${id}`, this.#at(start));
    const value = this.#anchored.get(id);
    for (let frame = this.#frame; frame !== this.#root; frame = frame.outer!) {
      if (frame.target === value) {
        throw new DecodeError('unsupported', 'a value that contains itself cannot be given in part; use decode', this.#at(start));
      }
    }
    this.#put(value);
  }

  path(): Step[] {
    const path: Step[] = [];
    for (let frame: OpenContainer | undefined = this.#root; frame !== undefined; frame = frame === this.#frame ? undefined : frame.inner) {
      const step = stepOf(frame);
      if (step !== undefined) path.push(step);
    }
    return path;
  }

  /** Adds a finished value to the innermost open container. */
  #put(value: unknown): void {
    this.changes += 1;
    const frame = this.#frame;
    if (frame.place === ARRAY) (frame.target as unknown[]).push(value);
    else if (frame.place === OBJECT) {
      setEntry(frame.target as object, frame.key as string, value);
      frame.key = undefined;
    } else if (frame.place === SET) (frame.target as Set<unknown>).add(value);
    else if (frame.place === MAP_KEY) {
      frame.place = MAP_VALUE;
      frame.key = value;
      return;
    } else if (frame.place === MAP_VALUE) {
      frame.place = MAP_KEY;
      (frame.target as Map<unknown, unknown>).set(frame.key, value);
    } else frame.target = value;
    frame.index += 1;
  }

  #putAnchored(value: unknown): void {
    this.#register(value);
    this.#put(value);
  }

  #open(place: Place, target: unknown): void {
    this.changes += 1;
    this.#register(target);
    const outer = this.#frame;
    const frame = (outer.inner ??= new OpenContainer(outer));
    frame.place = place;
    frame.target = target;
    frame.key = undefined;
    frame.index = 0;
    this.#frame = frame;
  }

  #close(): void {
    const { target, outer } = this.#frame;
    this.#frame = outer!;
    this.#put(target);
  }

  /** Makes `value` the target of references to the pending anchor. */
  #register(value: unknown): void {
    if (this.#anchor === NO_ANCHOR) return;
    (this.#anchored ??= new Map()).set(this.#anchor, value);
    this.#anchor = NO_ANCHOR;
  }

  #revived(tag: Tag, inner: unknown, end: number): unknown {
    try {
      return this.#revive!(tag, inner);
    } catch (error) {
      throw error instanceof DecodeError ? error.locate(this.#at(end)) : error;
    }
  }

  #at(position: number): { offset: number | undefined } {
    return { offset: this.#base < 0 ? undefined : this.#base + position };
  }
}

/** Step from a container to its value that is being read; undefined between two values, and at the root. */
function stepOf({ place, key, index }: OpenContainer): Step | undefined {
  if (place === ARRAY || place === SET) return index;
  if (place !== OBJECT && place !== MAP_VALUE) return undefined;
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

/** A copy of an open container that includes its unfinished value. */
function copyOf({ place, target, key }: OpenContainer, open: unknown): unknown {
  switch (place) {
    case ARRAY: {
      const list = target as unknown[];
      if (open === NONE) return list.slice();
      // A copy with room for one more would be copied once again.
      list.push(open);
      const copy = list.slice();
      list.pop();
      return copy;
    }
    case OBJECT:
      // The finished value will replace the unfinished one.
      if (open !== NONE) setEntry(target as object, key as string, open);
      return { ...(target as object) };
    case SET: {
      const copy = new Set(target as Set<unknown>);
      return open === NONE ? copy : copy.add(open);
    }
    case MAP_VALUE: {
      const copy = new Map(target as Map<unknown, unknown>);
      return open === NONE ? copy : copy.set(key, open);
    }
    case MAP_KEY:
      return new Map(target as Map<unknown, unknown>);
    default:
      // The value of a tag exists once it ends.
      return NONE;
  }
}

/** Sets a property of a plain object; `__proto__` becomes an own one. */
function setEntry(target: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  else (target as Record<string, unknown>)[key] = value;
}
