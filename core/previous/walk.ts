import { arrived, commonLength, type HeldBytes, mayOccurIn } from './compare.ts';
import { CHANGED, type Grammar, type OpenItems, type Skip, UNDECIDED, UNKNOWN } from './grammars/grammar.ts';
import { type CompareSetting, decodeRanges, type Held, holdMember, holdsContainers, itemOf, sameBytes, valueEnd, valueStart } from './held.ts';
import { ItemTable } from './item-table.ts';
import { NewRow, type RowsList } from './rows-form.ts';
import { setMember, share } from './share.ts';
import { type Sizes, STEP_BYTES, STEP_ITEMS, STEP_KEPT } from './tuning.ts';

/** An item whose bytes are not those of the earlier item in its place. */
interface NewItem {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Index of the earlier item that it may be a change of; −1 for none. */
  before: number;
}

/** Changes of the items of a list. */
export interface ItemChanges {
  /** Ranges of items that were kept, three numbers each: the first index, the earlier first index, and their number. */
  readonly kept: readonly number[];
  /** Items that were added (`from` is −1), or changed from an earlier item. */
  readonly others: readonly { readonly index: number; readonly from: number; readonly before: unknown }[];
  /** Earlier items that were neither kept nor changed; of rows, their indices. */
  readonly removed: readonly { readonly index: number; readonly item: unknown }[];
  /** The rows of the earlier list if it was `Rows`: not the list itself, whose own changes would keep the one before it alive. */
  readonly rows: RowsList | undefined;
}

/**
 * Compares a payload with an earlier one, and makes its value from the earlier value: what has the same bytes is the same object.
 * Throws `UNKNOWN` where a decode as usual is better.
 */
export class Comparison {
  /** Bytes whose values were kept, and bytes of items that are decoded. */
  keptBytes = 0;
  newBytes = 0;
  /** The changes of lists. */
  readonly changes = new Map<Held, ItemChanges>();
  readonly setting: CompareSetting;
  readonly grammar: Grammar;
  readonly sizes: Sizes;
  readonly earlier: HeldBytes;
  readonly payload: HeldBytes;

  constructor(setting: CompareSetting, earlier: HeldBytes, payload: HeldBytes) {
    this.setting = setting;
    this.grammar = setting.grammar;
    this.sizes = setting.sizes;
    this.earlier = earlier;
    this.payload = payload;
  }

  /** Reads the payload, whose root is compared with `root`. Yields when the caller may pause. */
  *read(root: Held): Generator<undefined, Held> {
    const { grammar, earlier, payload, sizes } = this;
    yield* arrived(payload, sizes.unit + sizes.ahead);
    const at = grammar.start(payload.bytes);
    const held = yield* this.readItems(root, grammar.start(earlier.bytes), at, 1);
    yield* arrived(payload, Infinity);
    if (!grammar.endsAt(payload.bytes, at + held.after)) throw UNKNOWN;
    return held;
  }

  /** Reads the items of the list or object at `base`, which are compared with those of the earlier one at `oldBase`. */
  readItems(old: Held, oldBase: number, base: number, level: number): Generator<undefined, Held> {
    return new ItemComparison(this, old, oldBase, base, level).read();
  }
}

/** Compares the items of one list or object. */
class ItemComparison {
  readonly #all: Comparison;
  readonly #old: Held;
  /** Positions of the container in both payloads. */
  readonly #oldBase: number;
  readonly #base: number;
  readonly #level: number;
  readonly #open: OpenItems;
  readonly #items: unknown[] = [];
  readonly #keys: string[] = [];
  readonly #starts: number[] = [];
  readonly #nested = new Map<number, Held>();
  readonly #kept: number[] = [];
  readonly #new: NewItem[] = [];
  readonly #others: { index: number; from: number; before: unknown }[] = [];
  /** Marks earlier items that were taken. */
  readonly #taken: Uint8Array;
  #takenCount = 0;
  /** Index of the earlier item that is expected next. */
  #expected = 0;
  /** Number of items since the last that was kept. */
  #gap = 0;
  /** Number of new items in a row after which those that have moved are looked for. */
  #patience: number;
  #table: ItemTable | undefined;
  #indexByKey: Map<string, number> | undefined;
  /** Position after the last item's value. */
  #tail: number;

  constructor(all: Comparison, old: Held, oldBase: number, base: number, level: number) {
    const open = all.grammar.open(all.payload.bytes, base);
    if (!open || open.isList !== old.isList || level > all.sizes.depth) throw UNKNOWN;
    this.#all = all;
    this.#old = old;
    this.#oldBase = oldBase;
    this.#base = base;
    this.#level = level;
    this.#open = open;
    this.#tail = open.end;
    this.#patience = all.sizes.window;
    this.#taken = new Uint8Array(old.items.length);
  }

  *read(): Generator<undefined, Held> {
    const open = this.#open;
    let step = open.at;
    for (let steps = 1; open.at >= 0; steps += 1) {
      // A step may be many bytes that were kept.
      if (steps % STEP_ITEMS === 0 || open.at - step > STEP_BYTES) {
        step = open.at;
        yield;
      }
      if (this.#all.payload.awaits) yield* this.#arrive(open.at + this.#all.sizes.unit);
      if (yield* this.#keepRun()) this.#gap = 0;
      else if (this.#old.isList) yield* this.#readItem();
      else yield* this.#readMember();
    }
    if (this.#old.isPart) throw UNDECIDED;
    yield* this.#require(this.#tail);
    yield* this.#findMoved();
    yield* this.#decodeNew();
    return this.#result();
  }

  /** Pauses until the bytes before `to`, and some more, have arrived. */
  #arrive(to: number): Generator<undefined> {
    return arrived(this.#all.payload, to + this.#all.sizes.ahead);
  }

  /** Pauses until the bytes before `to` have arrived. The payload may have fewer than were expected. */
  *#require(to: number): Generator<undefined> {
    const { payload } = this.#all;
    if (payload.awaits) yield* this.#arrive(to);
    if (to > payload.bytes.length) throw UNKNOWN;
  }

  /** `sameBytes`, after which the next item can be read. */
  #sameBytes(from: number, at: number, length: number): Generator<undefined, number> {
    const { earlier, payload, sizes } = this.#all;
    return sameBytes(earlier, from, payload, at, length, sizes.unit + sizes.ahead);
  }

  /** Takes over the expected item and those after it, as long as their bytes are the same. Returns false if the expected one differs. */
  *#keepRun(): Generator<undefined, boolean> {
    const { grammar, earlier, payload } = this.#all;
    const { starts, items } = this.#old;
    const first = this.#expected;
    if (first >= items.length && this.#old.isPart) throw UNDECIDED;
    if (first >= items.length || this.#taken[first] === 1) return false;
    const at = this.#open.at;
    const from = this.#oldBase + starts[first]!;
    const most = Math.min(this.#oldBase + this.#old.tail, earlier.bytes.length) - from;
    const length = Math.min(most, payload.bytes.length - at, this.#open.last - at);
    const reach = starts[first]! + (yield* this.#sameBytes(from, at, length));
    const shift = at - from + this.#oldBase;
    const end = Math.min(items.length, first + this.#open.left);
    let index = first;
    for (;;) {
      const step = this.#keepWithin(index, Math.min(end, index + STEP_KEPT), reach, shift);
      if (step === index) break;
      index = step;
      if (index - first >= STEP_KEPT) yield;
    }
    this.#tail = starts[index]! + shift;
    grammar.pass(payload.bytes, this.#open, index - first, this.#tail);
    // The separator after the last of them may be another.
    if (this.#taken[index] === 0) {
      const tail = valueEnd(grammar, earlier, this.#old, this.#oldBase, index) - this.#oldBase;
      if (tail <= reach && grammar.mayEnd(payload.bytes, tail + shift)) {
        this.#keep(index, starts[index]! + shift);
        this.#next(tail + shift);
        index += 1;
      }
    }
    if (index === first && grammar.hasHeads && this.#old.isList) index = yield* this.#keepShifted(first);
    if (index === first) return false;
    this.#kept.push(this.#items.length - index + first, first, index - first);
    this.#expected = index;
    this.#all.keptBytes += (this.#open.at < 0 ? this.#tail : this.#open.at) - at;
    return true;
  }

  /** Takes over items of a list with other heads from the expected one on. Returns the index after them. */
  *#keepShifted(first: number): Generator<undefined, number> {
    const { grammar, earlier, payload } = this.#all;
    const { starts, items } = this.#old;
    let index = first;
    let step = this.#open.at;
    for (; this.#open.at >= 0 && index < items.length && this.#taken[index] === 0; index += 1) {
      const { at, last } = this.#open;
      if (payload.awaits) yield* this.#arrive(at + this.#all.sizes.unit);
      const from = this.#oldBase + starts[index]!;
      if (earlier.bytes[from] !== payload.bytes[at]) break;
      const content = grammar.content(earlier.bytes, from);
      const now = grammar.content(payload.bytes, at);
      const length = valueEnd(grammar, earlier, this.#old, this.#oldBase, index) - content;
      if (length > last - now) break;
      const same =
        length <= this.#all.sizes.unit
          ? commonLength(earlier.view, content, payload.view, now, length)
          : yield* this.#sameBytes(content, now, length);
      if (same < length) break;
      this.#keep(index, at);
      this.#next(now + length);
      if (now - step < STEP_BYTES / 8) continue;
      step = now;
      yield;
    }
    return index;
  }

  /** Reads an item of a list that is not the expected one. */
  *#readItem(): Generator<undefined> {
    const { payload } = this.#all;
    const at = this.#open.at;
    if (this.#table === undefined) {
      const found = this.#findNear(at);
      if (found >= 0) {
        this.#expected = found;
        this.#gap = 0;
        if (yield* this.#keepRun()) return;
      }
      if (this.#new.length > 0 && this.#gap >= this.#patience) {
        if (yield* this.#mayHaveMoved()) this.#table = yield* this.#tableOfRest();
        else this.#patience *= 64;
      }
    }
    const skip = { at, open: 0 };
    const before = this.#expected + this.#gap;
    if (!this.#all.grammar.skip(payload.bytes, skip, Math.min(at + this.#all.sizes.unit, payload.bytes.length))) {
      yield* this.#readValue(at, skip, before, at, false);
      return;
    }
    const end = skip.at;
    yield* this.#require(end);
    const found = this.#takeMoved(at, end);
    if (found >= 0) {
      this.#kept.push(this.#items.length, found, 1);
      this.#keep(found, at);
      this.#all.keptBytes += end - at;
      this.#expected = found + 1;
      this.#gap = 0;
    } else {
      this.#addNew(at, at, end, before);
    }
    this.#next(end);
  }

  /** Reads a member of an object that is not the expected one. */
  *#readMember(): Generator<undefined> {
    const { grammar, earlier, payload } = this.#all;
    const at = this.#open.at;
    let { text, value } = grammar.key(payload.bytes, at);
    if (payload.awaits && payload.ready < value) {
      yield* this.#arrive(value + this.#all.sizes.unit);
      ({ text, value } = grammar.key(payload.bytes, at));
    }
    const found = this.#indexOf(text);
    if (found < 0 && this.#old.isPart) throw UNDECIDED;
    const before = found >= 0 && this.#taken[found] === 0 ? found : -1;
    const skip = { at: value, open: 0 };
    const isShort = grammar.skip(payload.bytes, skip, Math.min(value + this.#all.sizes.unit, payload.bytes.length));
    if (payload.awaits && isShort) yield* this.#arrive(skip.at);
    if (before >= 0) {
      this.#expected = before + 1;
      const from = valueStart(grammar, earlier, this.#old, this.#oldBase, before);
      const length = valueEnd(grammar, earlier, this.#old, this.#oldBase, before) - from;
      if ((!isShort || length === skip.at - value) && length <= payload.bytes.length - value) {
        const same = yield* this.#sameBytes(from, value, length);
        if (same === length && grammar.mayEnd(payload.bytes, value + length)) {
          this.#kept.push(this.#items.length, before, 1);
          this.#keep(before, at);
          this.#next(value + length);
          return;
        }
      }
    }
    this.#keys.push(text);
    yield* this.#readValue(value, skip, before, at, isShort);
  }

  /** Reads an item: a list or object item by item, if the earlier one was read so. */
  *#readValue(from: number, skip: Skip, before: number, at: number, isShort: boolean): Generator<undefined> {
    const { grammar, payload } = this.#all;
    const held = this.#taken[before] === 0 ? this.#old.nested.get(before) : undefined;
    if (
      held &&
      holdsContainers(grammar, payload.bytes, from) &&
      grammar.open(payload.bytes, from)!.isList === held.isList &&
      !(yield* this.#isInserted(skip))
    ) {
      const inner = yield* this.#readNested(held, before, from, isShort);
      if (inner) {
        const index = this.#items.length;
        this.#take(before);
        this.#nested.set(index, inner);
        this.#items.push(inner.value);
        this.#starts.push(at - this.#base);
        this.#others.push({ index, from: before, before: held.value });
        this.#gap += 1;
        this.#next(from + inner.after);
        return;
      }
    }
    if (!isShort) {
      const most = from + this.#all.sizes.scalars;
      yield* this.#arrive(most);
      if (!grammar.skip(payload.bytes, skip, Math.min(most, payload.bytes.length))) throw UNKNOWN;
      yield* this.#arrive(skip.at);
    }
    this.#addNew(at, from, skip.at, before);
    this.#next(skip.at);
  }

  /** Reads the items of an item. A short one is read as a whole where that is not possible. */
  *#readNested(held: Held, before: number, from: number, isShort: boolean): Generator<undefined, Held | undefined> {
    const oldBase = valueStart(this.#all.grammar, this.#all.earlier, this.#old, this.#oldBase, before);
    try {
      return yield* this.#all.readItems(held, oldBase, from, this.#level + 1);
    } catch (error) {
      if (error !== UNKNOWN || !isShort) throw error;
      return undefined;
    }
  }

  /** True if the expected item follows the long item of a list that is being skipped. */
  *#isInserted(skip: Skip): Generator<undefined, boolean> {
    const { grammar, payload } = this.#all;
    if (!this.#old.isList) return false;
    const ahead = { ...skip };
    yield* this.#arrive(ahead.at + STEP_BYTES);
    while (!grammar.skip(payload.bytes, ahead, Math.min(ahead.at + STEP_BYTES / 4, payload.bytes.length))) {
      if (ahead.at >= payload.bytes.length) throw UNKNOWN;
      yield;
      yield* this.#arrive(ahead.at + STEP_BYTES);
    }
    yield* this.#arrive(ahead.at + this.#all.sizes.unit);
    const open = { ...this.#open };
    grammar.next(payload.bytes, open, ahead.at);
    return open.at >= 0 && this.#expected < this.#taken.length && this.#matchesAt(this.#expected, open.at);
  }

  /** The index of the earlier item, near the expected one, whose bytes are those at `at`; −1 for none. */
  #findNear(at: number): number {
    const count = this.#taken.length;
    // One item was changed or added before this one, or removed.
    const aligned = this.#expected + Math.max(this.#gap, 1);
    if (aligned < count && this.#matchesAt(aligned, at)) return aligned;
    if (this.#gap === 0) return -1;
    const last = Math.min(this.#expected + this.#all.sizes.window, count);
    for (let index = this.#expected; index < last; index += 1) if (this.#matchesAt(index, at)) return index;
    return -1;
  }

  /** True if the last new item is anywhere in the earlier payload. */
  *#mayHaveMoved(): Generator<undefined, boolean> {
    const { grammar, earlier, payload, sizes } = this.#all;
    const { from, to } = this.#new.at(-1)!;
    const content = grammar.content(payload.bytes, from);
    const length = to - content;
    if (length < 2 || length > sizes.unit) return false;
    if (!(yield* mayOccurIn(earlier.bytes, payload.bytes.subarray(content, to), STEP_BYTES / 8))) return false;
    if (this.#old.isPart) throw UNDECIDED;
    return true;
  }

  /**
   * True if the bytes at `at` are those of an earlier item of the list that was not taken. Of items longer than a step, only the
   * first bytes are compared here, and all of them when the item is taken.
   */
  #matchesAt(index: number, at: number): boolean {
    const { grammar, earlier, payload } = this.#all;
    if (this.#taken[index] === 1) return false;
    const from = this.#oldBase + this.#old.starts[index]!;
    if (earlier.bytes[from] !== payload.bytes[at]) return false;
    const content = grammar.content(earlier.bytes, from);
    const now = grammar.content(payload.bytes, at);
    const length = valueEnd(grammar, earlier, this.#old, this.#oldBase, index) - content;
    if (length > payload.bytes.length - now || !grammar.mayEnd(payload.bytes, now + length)) return false;
    const compared = Math.min(length, payload.awaits ? this.#all.sizes.ahead : STEP_BYTES);
    return commonLength(earlier.view, content, payload.view, now, compared) === compared;
  }

  /** The same for an item whose end is known, which is short. */
  #matches(index: number, at: number, end: number): boolean {
    const { grammar, earlier, payload } = this.#all;
    const from = this.#oldBase + this.#old.starts[index]!;
    const content = grammar.content(earlier.bytes, from);
    const now = grammar.content(payload.bytes, at);
    const length = valueEnd(grammar, earlier, this.#old, this.#oldBase, index) - content;
    return (
      length === end - now && earlier.bytes[from] === payload.bytes[at] && commonLength(earlier.view, content, payload.view, now, length) === length
    );
  }

  /** The table of all items that were not taken. */
  *#tableOfRest(): Generator<undefined, ItemTable> {
    const { grammar, earlier } = this.#all;
    const taken = this.#taken;
    const count = taken.length;
    const table = new ItemTable(count, count - this.#takenCount);
    let hashed = 0;
    // The first of equal items is found first.
    for (let index = taken.lastIndexOf(0); index >= 0; index = index > 0 ? taken.lastIndexOf(0, index - 1) : -1) {
      const from = this.#oldBase + this.#old.starts[index]!;
      const to = valueEnd(grammar, earlier, this.#old, this.#oldBase, index);
      if (to - from > this.#all.sizes.scalars) continue;
      table.add(index, earlier.view, grammar.content(earlier.bytes, from), to);
      hashed += to - from;
      if (hashed > STEP_BYTES) {
        hashed = 0;
        yield;
      }
    }
    return table;
  }

  /** Index of an earlier item of the table whose bytes are those of a range; −1 for none. It is found once. */
  #takeMoved(from: number, to: number): number {
    const { grammar, payload } = this.#all;
    for (;;) {
      const found = this.#table?.take(payload.view, grammar.content(payload.bytes, from), to, (index) => this.#matches(index, from, to)) ?? -1;
      // An item that was kept in its place is still in the table.
      if (found < 0 || this.#taken[found] === 0) return found;
    }
  }

  /** Looks for the new items of a list among the earlier ones that were not taken. */
  *#findMoved(): Generator<undefined> {
    if (!this.#old.isList || this.#new.length === 0 || this.#takenCount === this.#taken.length) return;
    this.#table ??= yield* this.#tableOfRest();
    let left = 0;
    let step = 0;
    for (const item of this.#new) {
      const { index, from, to } = item;
      step += to - from;
      if (step > STEP_BYTES / 8) {
        step = 0;
        yield;
      }
      const found = to - from > this.#all.sizes.scalars ? -1 : this.#takeMoved(from, to);
      if (found < 0) {
        this.#new[left++] = item;
        continue;
      }
      this.#take(found);
      this.#items[index] = this.#old.items[found];
      const nested = this.#old.nested.get(found);
      if (nested) this.#nested.set(index, nested);
      this.#kept.push(index, found, 1);
    }
    this.#new.length = left;
  }

  /** Decodes the new items, and gives their parts the identity of what they were. */
  *#decodeNew(): Generator<undefined> {
    const { setting, sizes, payload } = this.#all;
    const { key, form } = setting;
    const { rows } = this.#old;
    const list = this.#new;
    const byKey = key !== undefined && this.#old.isList && list.length > 0 ? this.#restByKey(key) : undefined;
    for (let at = 0; at < list.length;) {
      let bytes = 0;
      const first = at;
      for (; at < list.length && (at === first || bytes < sizes.batch); at += 1) bytes += list[at]!.to - list[at]!.from;
      const batch = list.slice(first, at);
      const values = decodeRanges(setting, payload.bytes, batch, this.#level);
      batch.forEach(({ index, before }, position) => {
        const value = rows || !form ? values[position] : form.convert(values[position]);
        // The rows would have another form.
        if (rows && Array.isArray(value)) throw UNKNOWN;
        const paired = byKey === undefined ? before : (byKey.get(keyOf(value, key!)) ?? -1);
        const isFree = paired >= 0 && paired < this.#taken.length && this.#taken[paired] === 0;
        if (isFree) this.#take(paired);
        const earlier = isFree ? itemOf(this.#old, paired) : undefined;
        const shared = isFree ? share(earlier, value, form) : value;
        this.#items[index] = !rows ? shared : isFree && Object.is(shared, earlier) ? paired : new NewRow(shared);
        this.#others.push({ index, from: isFree ? paired : -1, before: earlier });
      });
      yield;
    }
    if (!this.#old.isOuter || this.#old.isList) return;
    for (const { index, from } of list) {
      const inner = yield* holdMember(setting, payload, from, this.#items[index], index, this.#level + 1);
      if (inner) this.#nested.set(index, inner);
    }
  }

  #restByKey(key: string): Map<unknown, number> {
    const found = new Map<unknown, number>();
    for (let index = 0; index < this.#taken.length; index += 1) {
      if (this.#taken[index] === 0) found.set(keyOf(itemOf(this.#old, index), key), index);
    }
    found.delete(undefined);
    return found;
  }

  /** Index of the earlier member with a key; −1 for none. */
  #indexOf(key: string): number {
    const { keys } = this.#old;
    if (keys[this.#expected] === key) return this.#expected;
    this.#indexByKey ??= new Map(keys.map((text, index) => [text, index]));
    return this.#indexByKey.get(key) ?? -1;
  }

  /** Takes over items from `first` on: those with another one before `end` that begins at `reach` at most. Returns the index after them. */
  #keepWithin(first: number, end: number, reach: number, shift: number): number {
    const { starts, items, keys, isList, nested } = this.#old;
    const taken = this.#taken;
    const ownItems = this.#items;
    const ownStarts = this.#starts;
    const toOwn = shift - this.#base;
    let index = first;
    for (; index + 1 < end && starts[index + 1]! <= reach && taken[index] === 0; index += 1) {
      ownItems.push(items[index]);
      ownStarts.push(starts[index]! + toOwn);
    }
    taken.fill(1, first, index);
    this.#takenCount += index - first;
    if (!isList) for (let at = first; at < index; at += 1) this.#keys.push(keys[at]!);
    if (nested.size > 0) {
      for (let at = first; at < index; at += 1) {
        const inner = nested.get(at);
        if (inner) this.#nested.set(ownItems.length - index + at, inner);
      }
    }
    return index;
  }

  /** Takes over an earlier item at a position of the payload. */
  #keep(index: number, at: number): void {
    const { items, keys, isList, nested, isPart } = this.#old;
    // The end of the last item of a part is not known.
    if (isPart && index === items.length - 1) throw UNDECIDED;
    this.#taken[index] = 1;
    this.#takenCount += 1;
    const inner = nested.size > 0 ? nested.get(index) : undefined;
    if (inner) this.#nested.set(this.#items.length, inner);
    this.#items.push(items[index]);
    this.#starts.push(at - this.#base);
    if (!isList) this.#keys.push(keys[index]!);
  }

  #take(index: number): void {
    this.#taken[index] = 1;
    this.#takenCount += 1;
  }

  /** Notes an item to decode. */
  #addNew(at: number, from: number, to: number, before: number): void {
    this.#new.push({ index: this.#items.length, from, to, before });
    this.#items.push(undefined);
    this.#starts.push(at - this.#base);
    this.#gap += 1;
    this.#all.newBytes += to - from;
    const { newBytes, keptBytes, sizes } = this.#all;
    const isMost = newBytes > sizes.giveUp && newBytes > sizes.giveUpShare * (newBytes + keptBytes);
    // Items that have moved are found once there is a table.
    if (isMost && (this.#table !== undefined || this.#gap > sizes.window)) throw this.#all.payload.awaits ? CHANGED : UNKNOWN;
  }

  #next(end: number): void {
    this.#tail = end;
    this.#all.grammar.next(this.#all.payload.bytes, this.#open, end);
  }

  #result(): Held {
    const old = this.#old;
    const items = this.#items;
    const keys = this.#keys;
    const isSame =
      items.length === old.items.length &&
      items.every((item, index) => Object.is(item, old.items[index])) &&
      keys.every((key, index) => key === old.keys[index]);
    const value = isSame ? old.value : this.#made();
    const rows = isSame ? old.rows : old.rows && (value as RowsList);
    const held: Held = {
      value,
      isList: old.isList,
      // Copies have no room to grow.
      items: isSame ? old.items : rows ? items.map((_, index) => index) : items.slice(),
      rows,
      keys,
      starts: new Uint32Array(this.#starts),
      tail: this.#tail - this.#base,
      after: this.#open.end - this.#base,
      isOuter: old.isOuter,
      isPart: false,
      nested: this.#nested,
    };
    if (!isSame && old.isList) {
      const removed: { index: number; item: unknown }[] = [];
      for (let index = this.#taken.indexOf(0); index >= 0; index = this.#taken.indexOf(0, index + 1)) {
        removed.push({ index, item: old.items[index] });
      }
      this.#all.changes.set(held, { kept: this.#kept, others: this.#others, removed, rows: old.rows?.slice() });
    }
    return held;
  }

  /** The value of the items. */
  #made(): object {
    const items = this.#items;
    const { isList, rows } = this.#old;
    const { form } = this.#all.setting;
    if (!isList) return objectOf(this.#keys, items);
    if (!form) return items.slice();
    // An array of this form is a list with lists.
    const made = rows
      ? form.join(rows, items as (number | NewRow)[])
      : items.some((item) => Array.isArray(item) || form.isRows(item)) && items.slice();
    if (!made) throw UNKNOWN;
    return made;
  }
}

function objectOf(keys: readonly string[], items: readonly unknown[]): object {
  const object = {};
  for (let index = 0; index < keys.length; index += 1) setMember(object, keys[index]!, items[index]);
  return object;
}

function keyOf(item: unknown, key: string): unknown {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, key) ? (item as Record<string, unknown>)[key] : undefined;
}
