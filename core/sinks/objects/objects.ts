import { DecodeError } from '../../errors.ts';
import { reviveCore, type ReviveTag } from '../../reading/revive.ts';
import { decodeText } from '../../bytes/text/text.ts';
import { internKey } from '../../bytes/text/key-cache.ts';
import { makeBinary } from '../../reading/binary.ts';
import { ARRAY, isCounted, MAP_KEY, MAP_VALUE, NO_ANCHOR, OBJECT, OpenContainer, type Place, PROTO, SET, TAGGED } from './frame.ts';
import { type OpenList, type EmittedList, completeItems } from './items.ts';
import { reorder, type Shape, shapeOf } from '../../reading/shapes.ts';
import type { ConstantList, KeyList } from '../../reading/sink-methods.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../../reading/sink.ts';

export { shapeOf };
export { type EmittedList, EmittedItems } from './items.ts';

/** Longer arrays grow as items arrive: a declared count is only a hint. */
const SHORT = 1024;
const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);
const NONE = Symbol('none');

/** Builds plain values: plain objects, arrays, JavaScript's own classes. `result` is the value. */
export class ObjectSink implements Sink {
  readonly prefersText = true;
  checkText: Sink['checkText'];
  #bytes = NO_BYTES;
  #view = NO_VIEW;
  #base = 0;
  readonly #root = new OpenContainer(undefined);
  #frame = this.#root;
  #anchor = NO_ANCHOR;
  /** Values that references may name, by id; undefined before the first anchor. */
  anchored: Map<number, unknown> | undefined;
  #records: Shape[] | undefined;
  readonly #revive: ReviveTag | undefined;
  #emitted: EmittedList | undefined;
  /** Items for which long arrays may reserve room in advance. Callers raise it with the number of bytes received. */
  room = 1e6;
  /** Arrays begun since this was reset to 0. */
  arrays = 0;
  itemRecord: Sink['itemRecord'];

  /** `revive` creates the values of the format's own tags, which contain a colon. */
  constructor(revive?: ReviveTag) {
    this.#root.target = NONE;
    this.#revive = revive;
  }

  /** The value, complete only after the reader's `end`. */
  get result(): unknown {
    if (this.#root.target === NONE || this.#frame !== this.#root) throw new Error('the value is not complete');
    return this.#root.target;
  }

  /** Allows `takeItems` to take the items of lists. Called before any event. */
  emit(emitted: EmittedList): void {
    this.#emitted = emitted;
  }

  /** Lets empty lists name the keys of their records, for results that become `Rows`: see `KeyedList`. */
  nameKeys(): void {
    this.itemRecord = (record) => {
      const { index, target } = this.#frame;
      if (index === 0) Object.defineProperty(target, 'recordKeys', { value: this.#records![record]!.keys });
    };
  }

  /** Takes the items available since the last call, also after an error. */
  takeItems(): unknown[] {
    return this.#emitted?.take(this.#frame, this.#root, this.anchored) ?? [];
  }

  /** Counts items of the innermost open list that were emitted before. */
  skip(items: number): void {
    this.#frame.taken += items;
  }

  /** The open list with the most items; the outermost of several. */
  get longestList(): OpenList | undefined {
    let longest: OpenList | undefined;
    for (let frame: OpenContainer | undefined = this.#frame; frame !== undefined; frame = frame.outer) {
      if (frame.place !== ARRAY || frame.gathered !== undefined) continue;
      const count = frame.taken + completeItems(frame, frame === this.#frame ? undefined : frame.inner);
      if (longest === undefined || count >= longest.count) longest = { items: frame.target as unknown[], count };
    }
    return longest;
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

  // Long arrays of numbers are common: each kind of number has its own path to them, which the compiler can specialise.
  integer(value: number): void {
    const frame = this.#frame;
    if (frame.place === ARRAY) (frame.target as number[])[frame.index++] = value;
    else this.#put(value);
  }

  float(value: number): void {
    const frame = this.#frame;
    if (frame.place === ARRAY) (frame.target as number[])[frame.index++] = value;
    else this.#put(value);
  }

  bigint(value: bigint): void {
    this.#put(value);
  }

  string(_start: number, from: number, end: number): void {
    const value = decodeText(this.#bytes, this.#view, from, end, this.#base);
    const frame = this.#frame;
    if (frame.place === ARRAY) (frame.target as string[])[frame.index++] = value;
    else this.#put(value);
  }

  text(value: string, start: number): void {
    this.checkText?.(value.length, start);
    this.#put(value);
  }

  constant(list: ConstantList, index: number): void {
    this.#put(list.text(index));
  }

  listedKey(list: KeyList, index: number): void {
    this.keyText(list.text(index));
  }

  binary(kind: BinaryKind, _start: number, from: number, end: number): void {
    this.#add(makeBinary(kind, this.#bytes, from, end));
  }

  made(value: object): void {
    this.#put(value);
  }

  date(milliseconds: number): void {
    this.#add(new Date(milliseconds));
  }

  beginArray(count: number): void {
    this.arrays += 1;
    this.#open(ARRAY, count > 0 && (count <= SHORT || (this.room -= count) >= 0) ? new Array<unknown>(count) : []);
    this.#emitted?.begin(this.#frame, this.#root);
  }

  endArray(): void {
    this.#emitted?.end(this.#frame);
    const { target, index } = this.#frame;
    if ((target as unknown[]).length !== index) (target as unknown[]).length = index;
    this.#close();
  }

  addNumbers(values: Float64Array, count: number): void {
    const frame = this.#frame;
    const target = frame.target as number[];
    let { index } = frame;
    for (let at = 0; at < count; at += 1) target[index++] = values[at]!;
    frame.index = index;
  }

  numberArray(values: Float64Array, count: number, integers: boolean): void {
    if (this.#emitted !== undefined) {
      this.beginArray(count);
      this.addNumbers(values, count);
      this.endArray();
      return;
    }
    this.arrays += 1;
    this.#add(integers ? makeIntegers(values, count) : makeNumbers(values, count));
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
    this.keyText(internKey(this.#bytes, from, end, this.#base));
  }

  keyText(value: string): void {
    const frame = this.#frame;
    frame.key = value;
    if (value.length === 9 && value === '__proto__') frame.place = PROTO;
  }

  defineRecord(keys: readonly string[], unused?: RecordId): RecordId {
    const records = (this.#records ??= []);
    const record = unused ?? records.length;
    records[record] = shapeOf(keys);
    return record;
  }

  beginRecord(record: RecordId): void {
    const shape = this.#records![record]!;
    if (this.#anchor === NO_ANCHOR && !(this.#emitted !== undefined && this.#frame === this.#root) && shape.see()) {
      const outer = this.#frame;
      const frame = (outer.inner ??= new OpenContainer(outer));
      frame.place = ARRAY;
      frame.target = frame.values ??= [];
      frame.index = 0;
      frame.taken = 0;
      frame.gathered = shape;
      this.#frame = frame;
      return;
    }
    this.#open(OBJECT, {});
    this.#frame.keys = shape.keys;
    this.#frame.field = -1;
  }

  field(index: number): void {
    const frame = this.#frame;
    if (frame.gathered !== undefined) {
      if (index === frame.index) return;
      this.#spread(frame);
    }
    if (index < frame.field) frame.disordered = true;
    frame.field = index;
    this.keyText(frame.keys![index]!);
  }

  endRecord(): void {
    const frame = this.#frame;
    const shape = frame.gathered;
    if (shape !== undefined) {
      if (frame.index === shape.keys.length) {
        frame.gathered = undefined;
        this.#close();
        this.#put(shape.make!(shape.keys, frame.values!));
        return;
      }
      this.#spread(frame);
    }
    if (frame.disordered) reorder(frame.target as Record<string, unknown>, frame.keys!);
    frame.disordered = false;
    this.#close();
  }

  beginMap(): void {
    this.#open(MAP_KEY, new Map());
  }

  endMap(): void {
    this.#close();
  }

  beginTagged(tag: Tag): void {
    const outer = this.#frame;
    const frame = (outer.inner ??= new OpenContainer(outer));
    frame.place = TAGGED;
    frame.target = undefined;
    frame.key = tag;
    frame.anchor = this.#anchor;
    this.#anchor = NO_ANCHOR;
    this.#frame = frame;
  }

  endTagged(end: number): void {
    const frame = this.#frame;
    const value = this.#revived(frame.key as Tag, frame.target, end);
    this.#close();
    if (frame.anchor !== NO_ANCHOR) {
      this.#anchor = frame.anchor;
      this.#register(value);
    }
    this.#put(value);
  }

  anchor(id: number): void {
    this.#anchor = id;
  }

  reference(id: number, start: number): void {
    if (!this.anchored?.has(id)) throw new DecodeError('malformed', `reference to unknown id ${id}`, this.#at(start));
    this.#put(this.anchored.get(id));
  }

  path(): (string | number)[] {
    const path: (string | number)[] = [];
    if (this.#frame === this.#root) return path;
    for (let frame = this.#root.inner!; ; frame = frame.inner!) {
      const inner = frame === this.#frame ? undefined : frame.inner;
      const counted = inner !== undefined && isCounted(inner);
      const index = frame.taken + (counted ? frame.index - 1 : frame.index);
      let step: unknown;
      if (frame.gathered !== undefined) step = frame.gathered.keys[index];
      else if (frame.place === ARRAY || frame.place === SET) step = index;
      else if (frame.place === PROTO) step = frame.key;
      else if (frame.place === OBJECT) {
        // A key no longer belongs to the path once its value is complete.
        if (inner !== undefined || !Object.hasOwn(frame.target as object, frame.key as string)) step = frame.key;
      } else if (frame.place === (counted ? MAP_KEY : MAP_VALUE)) step = frame.key;
      if (typeof step === 'string' || typeof step === 'number') path.push(step);
      if (inner === undefined) return path;
    }
  }

  /** Adds a finished value, or a container that has just begun, to the innermost open container. */
  #put(value: unknown): void {
    const frame = this.#frame;
    switch (frame.place) {
      case OBJECT:
        (frame.target as Record<string, unknown>)[frame.key as string] = value;
        return;
      case ARRAY:
        (frame.target as unknown[])[frame.index] = value;
        frame.index += 1;
        return;
      case PROTO:
        frame.place = OBJECT;
        Object.defineProperty(frame.target, '__proto__', {
          value,
          configurable: true,
          enumerable: true,
          writable: true,
        });
        return;
      case SET:
        (frame.target as Set<unknown>).add(value);
        frame.index += 1;
        return;
      case MAP_KEY:
        frame.place = MAP_VALUE;
        frame.key = value;
        return;
      case MAP_VALUE:
        frame.place = MAP_KEY;
        (frame.target as Map<unknown, unknown>).set(frame.key, value);
        return;
      default:
        frame.target = value;
    }
  }

  /** Adds a value that an anchor may name. */
  #add(value: unknown): void {
    if (this.#anchor !== NO_ANCHOR) this.#register(value);
    this.#put(value);
  }

  #open(place: Place, target: unknown): void {
    this.#add(target);
    const outer = this.#frame;
    const frame = (outer.inner ??= new OpenContainer(outer));
    frame.place = place;
    frame.target = target;
    frame.key = undefined;
    frame.index = 0;
    frame.taken = 0;
    this.#frame = frame;
  }

  /** Turns a collected record into an object early, because it does not match its shape. */
  #spread(frame: OpenContainer): void {
    const { keys } = frame.gathered!;
    const count = frame.index;
    this.#frame = frame.outer!;
    frame.gathered = undefined;
    this.#open(OBJECT, {});
    for (let index = 0; index < count; index += 1) {
      this.keyText(keys[index]!);
      this.#put(frame.values![index]);
    }
    frame.keys = keys;
    frame.field = count - 1;
  }

  #close(): void {
    this.#frame = this.#frame.outer!;
  }

  /** Makes `value` the target of references to the pending anchor. */
  #register(value: unknown): void {
    (this.anchored ??= new Map()).set(this.#anchor, value);
    this.#anchor = NO_ANCHOR;
  }

  #revived(tag: Tag, inner: unknown, end: number): unknown {
    const own = tag.includes(':');
    if (own && !this.#revive) throw new DecodeError('unsupported', `the tag ${tag} is unknown`, this.#at(end));
    try {
      return own ? this.#revive!(tag, inner) : reviveCore(tag, inner);
    } catch (error) {
      if (own) throw error instanceof DecodeError ? error.locate(this.#at(end)) : error;
      throw new DecodeError('malformed', `${tag}: ${(error as Error).message}`, this.#at(end));
    }
  }

  #at(position: number): { offset: number | undefined } {
    return { offset: this.#base < 0 ? undefined : this.#base + position };
  }
}

/**
 * Makes an array of the first values. Engines learn the kind of elements for each place in the source: a place that
 * makes only arrays of numbers stores them unboxed.
 */
function makeNumbers(values: Float64Array, count: number): number[] {
  switch (count) {
    case 2:
      return [values[0]!, values[1]!];
    case 3:
      return [values[0]!, values[1]!, values[2]!];
    case 4:
      return [values[0]!, values[1]!, values[2]!, values[3]!];
    default: {
      const list = new Array<number>(count);
      for (let at = 0; at < count; at += 1) list[at] = values[at]!;
      return list;
    }
  }
}

/** Like `makeNumbers`, for integers: small ones take half the memory. */
function makeIntegers(values: Float64Array, count: number): number[] {
  if (count === 2) {
    const one = values[0]! | 0;
    const other = values[1]! | 0;
    if (one === values[0] && other === values[1]) return [one, other];
  }
  const list = new Array<number>(count);
  for (let at = 0; at < count; at += 1) {
    const value = values[at]!;
    list[at] = (value | 0) === value ? value | 0 : value;
  }
  return list;
}
