import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import * as fixed from '../../../bytes/fixed-scalars.ts';
import { offsetOf, out, pass, room, soft, STOPPED, view, zeros } from '../../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError } from '../../../errors.ts';
import { mayHaveExtraKeys, type ExtraKeysOption, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import type { Limits } from '../../../limits.ts';
import { BITS, BOOL, DATA, ENUM, GROUP, INTERFACE, isPointer, LIST, STRUCT, TEXT, VOID } from '../schema/schema.ts';
import type { FieldNode, StructNode, TypeNode } from './plan.ts';

/** Bytes already written whose pointers are still to be filled in; they stay in memory until the message ends. */
interface Region {
  readonly view: DataView;
  /** Position in the view and in the output. */
  readonly at: number;
  readonly offset: number;
}

/** Pointer fields of a struct and their values. */
interface Pointers {
  readonly fields: readonly FieldNode[];
  readonly items: readonly unknown[];
  /** Keys that lead to each. */
  readonly steps: readonly string[];
}

/** Pointers being collected. */
interface Found {
  readonly fields: FieldNode[];
  readonly items: unknown[];
  readonly steps: string[];
}

interface StructResumePoint {
  readonly kind: 'struct';
  readonly pointers: Pointers;
  readonly region: Region;
  readonly next: number;
}

interface ListResumePoint {
  readonly kind: 'list' | 'structs' | 'scalars';
  readonly node: TypeNode;
  readonly region: Region;
  readonly next: number;
}

type ResumePoint = StructResumePoint | ListResumePoint;

/** Item sizes of a list by bits per item. */
const ITEM_SIZES = new Map([
  [0, 0],
  [1, 1],
  [8, 2],
  [16, 3],
  [32, 4],
  [64, 5],
]);
const POINTERS = 6;
const COMPOSITE = 7;
/** Most items or words of a list. */
const MAX_ITEMS = 2 ** 29 - 1;
/** Separates the keys of a step that leads through a group. */
const BETWEEN = '\u0000';

/**
 * Writes structs (https://capnproto.org/encoding.html) front to back: a struct or list, then the targets of its
 * pointers, each filled in when its target begins.
 */
export abstract class StructWriter extends Writer {
  readonly #refusesExtra: boolean;

  constructor({ extraKeys = 'error' }: ExtraKeysOption, limits: Limits) {
    super(limits);
    this.#refusesExtra = extraKeys === 'error';
  }

  protected override resumeIn(container: object, state: unknown, at: number): number {
    const point = state as ResumePoint;
    switch (point.kind) {
      case 'struct':
        return this.#pointers(container, point.pointers, point.region.view, point.region.at, point.region.offset, point.next, at);
      case 'structs':
        return this.#structs(point.node, container as Items, point.region, point.next, at, this.resumedCount);
      case 'list':
        return this.#items(point.node, container as Items, point.region, point.next, at, this.resumedCount);
      default:
        return this.#scalars(point.node, container as Items, point.next, at, this.resumedCount);
    }
  }

  protected override stepOf(state: unknown): string | number {
    const point = state as ResumePoint;
    return point.kind === 'struct' ? point.pointers.steps[point.next - 1]! : point.next - 1;
  }

  protected override at(step: string | number, error: unknown, container: object): unknown {
    if (typeof step === 'number') return super.at(step, error, container);
    let outer = error;
    for (const one of step.split(BETWEEN).toReversed()) outer = super.at(one, outer, container);
    return outer;
  }

  /** Writes a struct and points `slot` of a region to it. */
  protected struct(node: StructNode, value: unknown, region: DataView, slot: number, offset: number, at: number): number {
    const { dataWords, pointers } = node;
    const size = 8 * (dataWords + pointers);
    const start = room(at, size);
    const target = offsetOf(start);
    // The pointer to an empty struct has offset −1, which distinguishes it from null.
    const words = size === 0 ? -1 : (target - offset) / 8 - 1;
    region.setInt32(slot, words << 2, true);
    region.setUint32(slot + 4, dataWords | (pointers << 16), true);
    out.fill(0, start, start + size);
    return this.#content(node, value, view, start, target, start + size);
  }

  /**
   * Writes the contents of a struct, then the targets of its pointers. `at` and `offset` are its positions in the
   * region and the output.
   */
  #content(node: StructNode, value: unknown, region: DataView, start: number, offset: number, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#content.bind(this, node, value, region, start, offset));
    this.open(value as object | undefined);
    const items: unknown[] = [];
    let found: Pointers;
    if (node.hasGroups) {
      found = { fields: [], items, steps: [] };
      this.#withGroups(node, value, region, start, '', found as Found);
    } else {
      found = { fields: node.pointerFields, items, steps: node.pointerKeys };
      this.#data(node, value, region, start, items);
    }
    if (items.length === 0) {
      this.depth -= 1;
      return at;
    }
    return this.#pointers(value as object, found, region, start + 8 * node.dataWords, offset + 8 * node.dataWords, 0, at);
  }

  /** Writes the scalars of a struct without groups, and collects its pointers in order, undefined for null. */
  #data(node: StructNode, given: unknown, region: DataView, start: number, items: unknown[]): void {
    const value = this.#object(node, given);
    if (node.discriminant >= 0) this.#setMember(node, value, region, start);
    const { fields } = node;
    const { length } = fields;
    let index = 0;
    let hasOthers = false;
    let keys: number;
    try {
      for (const key in value) {
        if (index === length || fields[index]!.key !== key) {
          hasOthers = true;
          break;
        }
        this.#take(fields[index]!, value[key], region, start, items);
        index += 1;
      }
      keys = index;
      for (; index < length; index += 1) {
        const field = fields[index]!;
        const isPresent = Object.hasOwn(value, field.key);
        if (isPresent) keys += 1;
        this.#take(field, isPresent ? value[field.key] : undefined, region, start, items);
      }
    } catch (error) {
      throw index < length ? this.at(fields[index]!.key, error, value) : error;
    }
    if (hasOthers && this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, fields);
  }

  #take(field: FieldNode, item: unknown, region: DataView, start: number, items: unknown[]): void {
    if (field.isPointer) items.push(item === null ? undefined : item);
    else if (item !== undefined) setScalar(this, field, item, region, start);
  }

  #object(node: StructNode, given: unknown): Record<string, unknown> {
    if (typeof given !== 'object' || given === null || itemsOf(given) !== undefined || isDate(given) || isMap(given))
      this.fail('type', `${kindOf(given)} where ${node.name} is expected`);
    return given as Record<string, unknown>;
  }

  /** Writes the scalars of a struct and its groups, and collects the pointers. `prefix` has the keys of the enclosing groups. */
  #withGroups(node: StructNode, given: unknown, region: DataView, start: number, prefix: string, found: Found): void {
    const value = this.#object(node, given);
    if (node.discriminant >= 0) this.#setMember(node, value, region, start);
    let keys = 0;
    for (const field of node.fields) {
      const { key, node: type } = field;
      const isPresent = Object.hasOwn(value, key);
      if (isPresent) keys += 1;
      const item = isPresent ? value[key] : undefined;
      if (item === undefined) continue;
      try {
        if (type.type === GROUP) this.#withGroups(type.struct!, item, region, start, `${prefix}${key}${BETWEEN}`, found);
        else if (!field.isPointer) setScalar(this, field, item, region, start);
        else if (item !== null) {
          found.fields.push(field);
          found.items.push(item);
          found.steps.push(prefix + key);
        }
      } catch (error) {
        throw this.at(key, error, value);
      }
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, node.fields);
  }

  #setMember({ name, members, discriminant }: StructNode, value: Record<string, unknown>, region: DataView, start: number): void {
    let set: FieldNode | undefined;
    for (const member of members) {
      if (!Object.hasOwn(value, member.key) || value[member.key] === undefined) continue;
      if (set !== undefined) this.fail('type', `the union of ${name} must not have two members: ${set.key} and ${member.key}`);
      set = member;
    }
    if (set !== undefined) region.setUint16(start + discriminant, set.member, true);
  }

  /** Writes the targets of a struct's pointers, starting with pointer `from`. The pointers are at `start` of the region. */
  #pointers(value: object, pointers: Pointers, region: DataView, start: number, offset: number, from: number, at: number): number {
    const { fields, items, steps } = pointers;
    let index = from;
    let next = at;
    try {
      for (; index < fields.length; index += 1) {
        const item = items[index];
        if (item === undefined) continue;
        const { node, position } = fields[index]!;
        // Texts, the most frequent pointers, are written inline.
        if (node.type === TEXT) next = this.#text(item, region, start + 8 * position, offset + 8 * position, next);
        else next = this.#pointer(node, item, region, start + 8 * position, offset + 8 * position, next);
        if (next === STOPPED) return this.#stopIn(value, { kind: 'struct', pointers, region: { view: region, at: start, offset }, next: index + 1 });
      }
    } catch (error) {
      throw this.at(steps[index]!, error, value);
    }
    this.depth -= 1;
    return next;
  }

  /** Writes the target of the pointer at `slot` of a region. */
  #pointer(node: TypeNode, item: unknown, region: DataView, slot: number, offset: number, at: number): number {
    switch (node.type) {
      case TEXT:
        return this.#text(item, region, slot, offset, at);
      case DATA: {
        const bytes = bytesOf(item);
        if (bytes === undefined) this.fail('type', `${kindOf(item)} where data are expected`);
        this.#setPointer(region, slot, offset, 2, bytes.length, offsetOf(at));
        return padded(writeBytes(bytes, at), bytes.length);
      }
      case LIST:
        return this.#list(node.item!, item, region, slot, offset, at);
      case STRUCT:
        return this.struct(node.struct!, item, region, slot, offset, at);
      default:
        return this.fail('unsupported', node.type === INTERFACE ? 'cannot encode a capability' : 'cannot encode an untyped pointer');
    }
  }

  /** Writes a text: a list of its bytes and a zero byte. */
  #text(item: unknown, region: DataView, slot: number, offset: number, at: number): number {
    if (typeof item !== 'string') this.fail('type', `${kindOf(item)} where a text is expected`);
    const { length } = item;
    const isLong = length > LONG;
    const start = !isLong && at + 3 * length + 9 > soft ? room(at, 3 * length + 9) : at;
    const target = offsetOf(start);
    const end = isLong ? writePieces(item, start) : writeUtf8(item, start);
    if (end < 0) this.fail('text', 'the string has a lone surrogate');
    const bytes = (isLong ? utf8Length(item) : end - start) + 1;
    this.#setPointer(region, slot, offset, 2, bytes, target);
    out[end] = 0;
    return padded(end + 1, bytes);
  }

  #list(item: TypeNode, value: unknown, region: DataView, slot: number, offset: number, at: number): number {
    const list = itemsOf(value);
    if (list === undefined) this.fail('type', `${kindOf(value)} where a list is expected`);
    const { length } = list;
    this.open();
    if (item.type === STRUCT) {
      const { dataWords, pointers } = item.struct!;
      const words = length * (dataWords + pointers);
      const start = zeros(at, 8 + 8 * words);
      this.#setPointer(region, slot, offset, COMPOSITE, words, offsetOf(start));
      view.setUint32(start, length << 2, true);
      view.setUint32(start + 4, dataWords | (pointers << 16), true);
      const items: Region = { view, at: start + 8, offset: offsetOf(start) + 8 };
      return this.#structs(item, list, items, 0, start + 8 + 8 * words, length);
    }
    if (isPointer(item.type)) {
      const start = zeros(at, 8 * length);
      this.#setPointer(region, slot, offset, POINTERS, length, offsetOf(start));
      return this.#items(item, list, { view, at: start, offset: offsetOf(start) }, 0, start + 8 * length, length);
    }
    this.#setPointer(region, slot, offset, ITEM_SIZES.get(BITS[item.type]!)!, length, offsetOf(at));
    if (item.type === BOOL) return this.#bits(list, length, at);
    return this.#scalars(item, list, 0, at, length);
  }

  #structs(node: TypeNode, list: Items, region: Region, from: number, at: number, length = list.length): number {
    const struct = node.struct!;
    const size = 8 * (struct.dataWords + struct.pointers);
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'structs', node, region, next: index }, length);
        at = this.#content(struct, list[index], region.view, region.at + index * size, region.offset + index * size, at);
        if (at === STOPPED) return this.#stopIn(list, { kind: 'structs', node, region, next: index + 1 }, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, at);
  }

  /** Writes the targets of a list's pointers. */
  #items(node: TypeNode, list: Items, region: Region, from: number, at: number, length = list.length): number {
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'list', node, region, next: index }, length);
        const item = list[index];
        if (item === null || item === undefined) continue;
        at = this.#pointer(node, item, region.view, region.at + 8 * index, region.offset + 8 * index, at);
        if (at === STOPPED) return this.#stopIn(list, { kind: 'list', node, region, next: index + 1 }, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, at);
  }

  #scalars(node: TypeNode, list: Items, from: number, at: number, length = list.length): number {
    const bytes = BITS[node.type]! / 8;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'scalars', node, region: NO_REGION, next: index }, length);
        if (node.type === VOID) continue;
        fixed.writeFixed(node.kind, this.scalarOf(node, list[index]), at);
        at += bytes;
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, padded(at, length * bytes));
  }

  /** Writes booleans, eight per byte. */
  #bits(list: Items, length: number, at: number): number {
    const size = 8 * Math.ceil(length / 64);
    const start = room(at, size);
    out.fill(0, start, start + size);
    for (let index = 0; index < length; index += 1) {
      const item = list[index];
      if (typeof item !== 'boolean') throw this.at(index, new EncodeError('type', `${kindOf(item)} where a boolean is expected`), list);
      if (item) out[start + (index >> 3)]! |= 1 << (index & 7);
    }
    return this.#endList(list, length, start + size);
  }

  #endList(list: Items, length: number, at: number): number {
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** Number of an enum's value, which is given as a number or a name; other scalars unchanged. */
  scalarOf({ type, names, enumName }: TypeNode, value: unknown): unknown {
    if (type !== ENUM || typeof value !== 'string') return value;
    return names.get(value) ?? this.fail('range', `${JSON.stringify(value)} is not a value of ${enumName}`);
  }

  #setPointer(region: DataView, slot: number, offset: number, itemSize: number, count: number, target: number): void {
    if (count > MAX_ITEMS) this.fail('range', `the list has more than ${MAX_ITEMS} items or words`);
    region.setInt32(slot, (((target - offset) / 8 - 1) << 2) | 1, true);
    region.setUint32(slot + 4, itemSize | (count << 3), true);
  }

  #stopIn(container: object, point: ResumePoint, count?: number): number {
    return this.stopped(container, point, count);
  }
}

const NO_REGION: Region = { view: new DataView(new ArrayBuffer(0)), at: 0, offset: 0 };

/** Writes a scalar as the difference from its default. */
function setScalar(writer: StructWriter, field: FieldNode, item: unknown, region: DataView, start: number): void {
  const { node, position, bit, low, high } = field;
  const at = start + position;
  if (node.type === VOID) return;
  if (node.type === BOOL) {
    if (typeof item !== 'boolean') fixed.writeFixed(fixed.BOOL, item, 0);
    if (item !== ((low & 1) !== 0)) region.setUint8(at, region.getUint8(at) | (1 << bit));
    return;
  }
  // The struct may be in an earlier chunk.
  fixed.writeFixedIn(region, node.kind, writer.scalarOf(node, item), at);
  if (low === 0 && high === 0) return;
  const bytes = BITS[node.type]! / 8;
  for (let index = 0; index < bytes; index += 1) {
    const mask = index < 4 ? low >>> (8 * index) : high >>> (8 * (index - 4));
    region.setUint8(at + index, region.getUint8(at + index) ^ mask);
  }
}

/** Writes zeros up to the next word, after `bytes` bytes. */
function padded(at: number, bytes: number): number {
  let next = at;
  for (let left = -bytes & 7; left > 0; left -= 1) out[next++] = 0;
  return next;
}
