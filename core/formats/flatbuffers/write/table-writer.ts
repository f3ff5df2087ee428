import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import * as fixed from '../../../bytes/fixed-scalars.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view } from '../../../bytes/output.ts';
import { LONG } from '../../../bytes/text/utf8.ts';
import type { Limits } from '../../../limits.ts';
import { mayHaveExtraKeys, type ExtraKeysOption, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import { keyOrder } from './key-order.ts';
import { isDefault, littleEndian, uint32, unionTypeOf, writeEnum, writeText } from './values.ts';
import {
  CHOICE,
  type FieldNode,
  FIXED_ARRAY,
  type Layout,
  LIST,
  NESTED,
  type ObjectNode,
  SCALAR,
  STRUCT,
  TABLE,
  TEXT,
  type ValueNode,
} from './plan.ts';

/** A table whose outside fields are still to be written, from `next` on. */
interface TableResumePoint {
  readonly kind: 'table';
  readonly layout: Layout;
  readonly values: readonly unknown[];
  readonly table: number;
  readonly next: number;
}

/** A vector, a nested buffer, or the buffers of a sequence, of which `next` items have been written. */
interface ListResumePoint {
  readonly kind: 'list';
  readonly item: ValueNode;
  readonly types: Items | undefined;
  /** Order of the items if they are not written as given. */
  readonly order: Uint32Array | undefined;
  /** Position of the items; for outside items, their offsets from there. */
  readonly base: number;
  readonly offsets: Uint32Array<ArrayBuffer> | undefined;
  readonly next: number;
}

/** A nested buffer whose table is being written. */
interface NestedResumePoint {
  readonly kind: 'nested';
  /** Position of the buffer's length. */
  readonly base: number;
  /** Vtables of the enclosing buffer. */
  readonly outer: ReadonlyMap<Layout, number>;
}

/** Resume point of the writer. */
type ResumePoint = TableResumePoint | ListResumePoint | NestedResumePoint;

/** Key omitted from error paths. */
export const NO_STEP = '$buffer';

/**
 * Writes tables (https://flatbuffers.dev/internals) front to back: a table, then the values its fields refer to,
 * whose offsets are filled in once known. A vtable precedes the first table that uses it.
 */
export abstract class TableWriter extends Writer {
  /** Position of the buffer; its bytes are retained until it ends. */
  protected origin = Infinity;
  readonly #refusesExtra: boolean;
  readonly #vtables = new Map<Layout, number>();
  // Layout and vtable of the previous table.
  #lastLayout: Layout | undefined;
  #lastVtable: number | undefined;
  // The table begun last.
  #table = 0;
  #layout: Layout | undefined;
  #values: unknown[] = [];

  constructor({ extraKeys = 'error' }: ExtraKeysOption, limits: Limits) {
    super(limits);
    this.#refusesExtra = extraKeys === 'error';
  }

  override get pinned(): number {
    return this.origin;
  }

  protected override resumeIn(container: object, state: unknown, at: number): number {
    const point = state as ResumePoint;
    switch (point.kind) {
      case 'table':
        return this.#outside(container as Record<string, unknown>, point.layout, point.values, point.table, point.next, at);
      case 'list':
        return this.#items(point.item, container as Items, point.types, point.order, point.base, point.offsets, point.next, at);
      default:
        return this.#endNested(point.base, point.outer, at);
    }
  }

  protected override stepOf(state: unknown): string | number {
    const point = state as ResumePoint;
    if (point.kind === 'table') return point.layout.fields[point.layout.outside[point.next - 1]!]!.key;
    return point.kind === 'nested' ? NO_STEP : (point.order?.[point.next - 1] ?? point.next - 1);
  }

  protected override at(step: string | number, error: unknown, container: object): unknown {
    return step === NO_STEP ? error : super.at(step, error, container);
  }

  /** Writes a table and points the slot at an offset to it. */
  protected tableAt(node: ObjectNode, value: unknown, slot: number, width: number, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.tableAt.bind(this, node, value, slot, width));
    const next = this.#begin(node, value, at);
    this.#point(slot, width, this.#table, next);
    return this.#outside(value as Record<string, unknown>, this.#layout!, this.#values, this.#table, 0, next);
  }

  /**
   * Writes a table with its inline values, leaving outside fields to `#outside`. Leaves it in `#table`, `#layout` and
   * `#values`.
   */
  #begin(node: ObjectNode, given: unknown, at: number): number {
    if (typeof given !== 'object' || given === null || itemsOf(given) !== undefined || isDate(given) || isMap(given))
      this.fail('type', `${kindOf(given)} where ${node.name} is expected`);
    this.open(given);
    const value = given as Record<string, unknown>;
    const values: unknown[] = [];
    const layout = node.layoutOf(this.#read(node, value, values), values);
    const { size, align, slots, inside, fields } = layout;
    let next = room(at, layout.vtable.length + 2 * align + size);
    let vtable = layout === this.#lastLayout ? this.#lastVtable : this.#vtables.get(layout);
    if (vtable === undefined) {
      next = this.#align(next, 2);
      vtable = offsetOf(next);
      this.#vtables.set(layout, vtable);
      next = writeBytes(layout.vtable, next);
    }
    this.#lastLayout = layout;
    this.#lastVtable = vtable;
    next = this.#align(next, align);
    const table = offsetOf(next);
    out.fill(0, next, next + size);
    view.setInt32(next, table - vtable, true);
    let position = 0;
    try {
      for (; position < inside.length; position += 1) {
        const index = inside[position]!;
        this.#inline(fields[index]!, values[index], next + slots[index]!);
      }
    } catch (error) {
      throw this.at(fields[inside[position]!]!.key, error, value);
    }
    this.#table = table;
    this.#layout = layout;
    this.#values = values;
    return next + size;
  }

  /** Reads the fields of a table into `values`, undefined for those that are not written. Returns a bit mask of the others. */
  #read(node: ObjectNode, value: Record<string, unknown>, values: unknown[]): number {
    const { fields } = node;
    const { length } = fields;
    let mask = 0;
    let index = 0;
    let hasOthers = false;
    let keys: number;
    try {
      for (const key in value) {
        if (index === length || fields[index]!.key !== key) {
          hasOthers = true;
          break;
        }
        const item = this.#given(fields[index]!, value, value[key]);
        values.push(item);
        if (item !== undefined) mask |= 1 << index;
        index += 1;
      }
      keys = index;
      for (; index < length; index += 1) {
        const field = fields[index]!;
        const isPresent = Object.hasOwn(value, field.key);
        if (isPresent) keys += 1;
        const item = this.#given(field, value, isPresent ? value[field.key] : undefined);
        values.push(item);
        if (item !== undefined) mask |= 1 << index;
      }
    } catch (error) {
      throw index < length ? this.at(fields[index]!.key, error, value) : error;
    }
    if (hasOthers && this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, fields);
    return mask;
  }

  /** Value to write for a field. */
  #given(field: FieldNode, owner: Record<string, unknown>, item: unknown): unknown {
    if (item === undefined || item === null) {
      if (field.isRequired) this.fail('missing', 'a required field is missing');
      return undefined;
    }
    if (field.fallback !== undefined && isDefault(field, item)) return undefined;
    return field.op === CHOICE && unionTypeOf(field.enumType!, owner[field.typeKey]) === 0 ? undefined : item;
  }

  /** Writes the outside fields of a table, starting with field `from`. */
  #outside(value: Record<string, unknown>, layout: Layout, values: readonly unknown[], table: number, from: number, at: number): number {
    const { outside, fields, slots } = layout;
    let next = at;
    let index = from;
    try {
      for (; index < outside.length; index += 1) {
        const position = outside[index]!;
        const field = fields[position]!;
        // Strings, the most frequent fields, are written inline.
        if (field.op === TEXT) next = this.#string(values[position], table + slots[position]!, field.size, next);
        else next = this.#field(field, values[position], values, table + slots[position]!, next);
        if (next === STOPPED) return this.#stopIn(value, { kind: 'table', layout, values, table, next: index + 1 });
      }
    } catch (error) {
      throw this.at(fields[outside[index]!]!.key, error, value);
    }
    this.depth -= 1;
    return next;
  }

  #field(field: FieldNode, item: unknown, values: readonly unknown[], slot: number, at: number): number {
    switch (field.op) {
      case LIST:
        return this.#vector(field, item, values, slot, at);
      case NESTED:
        return bytesOf(item) === undefined ? this.#nested(field, item, slot, at) : this.#vector(field, item, values, slot, at);
      case CHOICE:
        return this.#member(field.enumType!.members.get(unionTypeOf(field.enumType!, values[field.typeIndex]))!, item, slot, field.size, at);
      default:
        return this.#member(field, item, slot, field.size, at);
    }
  }

  /** Writes a string, a table, or a struct in a union. */
  #member(node: ValueNode, item: unknown, slot: number, width: number, at: number): number {
    if (node.op === TABLE) return this.tableAt(node.object!, item, slot, width, at);
    if (node.op === TEXT) return this.#string(item, slot, width, at);
    const { size, align } = node;
    const start = this.#align(room(at, size + align), align);
    this.#point(slot, width, offsetOf(start), start);
    this.#inline(node, item, start);
    return start + size;
  }

  /** Writes a string and points a slot to it. */
  #string(item: unknown, slot: number, width: number, at: number): number {
    const length = typeof item === 'string' && item.length <= LONG ? item.length : 0;
    let start = at;
    if (at + 3 * length + 8 > soft) start = room(at, 3 * length + 8);
    start = this.#align(start, 4);
    this.#point(slot, width, offsetOf(start), start);
    return writeText(item, start);
  }

  /** Writes an inline value of a table, a struct or a vector. The bytes are reserved and zero. */
  #inline(node: ValueNode | FieldNode, item: unknown, at: number): void {
    switch (node.op) {
      case SCALAR:
        if (node.enumType === undefined) fixed.writeFixed(node.kind, item, at);
        else writeEnum(node, item, at);
        return;
      case STRUCT:
        this.#struct(node.object!, item, at);
        return;
      case FIXED_ARRAY: {
        const { item: itemNode, length } = node as FieldNode;
        const list = itemsOf(item);
        if (list === undefined) this.fail('type', `${kindOf(item)} where an array is expected`);
        if (list.length !== length) this.fail('range', `${list.length} items where an array has ${length}`);
        for (let index = 0; index < length; index += 1) {
          try {
            this.#inline(itemNode!, list[index], at + index * itemNode!.size);
          } catch (error) {
            throw this.at(index, error, list);
          }
        }
        return;
      }
      default:
        throw new TypeError(`not inline: ${node.op}`);
    }
  }

  #struct(node: ObjectNode, given: unknown, at: number): void {
    if (typeof given !== 'object' || given === null) this.fail('type', `${kindOf(given)} where ${node.name} is expected`);
    const value = given as Record<string, unknown>;
    out.fill(0, at, at + node.size);
    if (this.#refusesExtra && mayHaveExtraKeys(value, node.fields.length)) refuseExtraKeys(value, node.name, node.fields);
    for (const field of node.fields) {
      try {
        const item = Object.hasOwn(value, field.key) ? value[field.key] : undefined;
        if (item === undefined) this.fail('missing', 'a field of a struct is missing');
        this.#inline(field, item, at + field.offset);
      } catch (error) {
        throw this.at(field.key, error, value);
      }
    }
  }

  /** Writes a vector: the number of items, and the items or their offsets. */
  #vector(field: FieldNode, value: unknown, values: readonly unknown[], slot: number, at: number): number {
    const list = itemsOf(value) ?? this.fail('type', `${kindOf(value)} where a vector is expected`);
    const item = field.item!;
    const { length } = list;
    const head = field.isLong ? 8 : 4;
    let types: Items | undefined;
    if (item.op === CHOICE) {
      types = itemsOf(values[field.typeIndex]);
      if (types?.length !== length) this.fail('missing', `${field.typeKey} must have a type for each item`);
    }
    this.open();
    const isOutside = item.op >= TEXT;
    let start = room(at, (isOutside ? 4 * length : 0) + head + 2 * item.align);
    // Alignment applies to the items, after the length.
    start = this.#align(start, 4);
    while ((offsetOf(start) + head - this.origin) % item.align !== 0) out[start++] = 0;
    this.#point(slot, field.size, offsetOf(start), start);
    view.setUint32(start, length, true);
    if (head === 8) view.setUint32(start + 4, 0, true);
    start += head;
    const base = offsetOf(start);
    if (item.kind === fixed.UINT8 && item.enumType === undefined && value instanceof Uint8Array) {
      this.depth -= 1;
      return writeBytes(value, start);
    }
    const key = item.op === STRUCT || item.op === TABLE ? item.object!.key : undefined;
    const order = key && keyOrder(key, list);
    if (!isOutside) return this.#items(item, list, undefined, order, base, undefined, 0, start, length);
    out.fill(0, start, start + 4 * length);
    return this.#items(item, list, types, order, base, new Uint32Array(length), 0, start + 4 * length, length);
  }

  #items(
    item: ValueNode,
    list: Items,
    types: Items | undefined,
    order: Uint32Array | undefined,
    base: number,
    offsets: Uint32Array<ArrayBuffer> | undefined,
    from: number,
    at: number,
    length = list.length,
  ): number {
    let index = from;
    let next = at;
    try {
      for (; index < length; index += 1) {
        if (next > soft && (next = pass(next)) === STOPPED)
          return this.#stopIn(list, { kind: 'list', item, types, order, base, offsets, next: index }, length);
        if (offsets === undefined) {
          if (item.size > 8) next = room(next, item.size);
          this.#inline(item, list[order === undefined ? index : order[index]!], next);
          next += item.size;
          continue;
        }
        const value = list[order === undefined ? index : order[index]!];
        next = this.#item(item, value, types === undefined ? undefined : types[index], base + 4 * index, offsets, index, next);
        if (next === STOPPED) return this.#stopIn(list, { kind: 'list', item, types, order, base, offsets, next: index + 1 }, length);
      }
    } catch (error) {
      throw this.at(order?.[index] ?? index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return offsets === undefined || length === 0 ? next : replaceAt(base, 4 * length, littleEndian(offsets), next);
  }

  /** Writes an outside item of a vector, and notes its offset. */
  #item(node: ValueNode, value: unknown, type: unknown, slot: number, offsets: Uint32Array, index: number, at: number): number {
    let item = node;
    if (node.op === CHOICE) {
      const number = unionTypeOf(node.enumType!, type);
      if (number === 0) return at;
      item = node.enumType!.members.get(number)!;
    }
    if (item.op === TABLE) {
      if (this.depth >= this.callDepth) return this.postpone(at, this.#item.bind(this, node, value, type, slot, offsets, index));
      const next = this.#begin(item.object!, value, at);
      offsets[index] = this.#table - slot;
      return this.#outside(value as Record<string, unknown>, this.#layout!, this.#values, this.#table, 0, next);
    }
    const { align, size } = item;
    const start = this.#align(room(at, size + 2 * align), align);
    offsets[index] = offsetOf(start) - slot;
    if (item.op === TEXT) return writeText(value, start);
    this.#inline(item, value, start);
    return start + size;
  }

  /** Writes a buffer in a vector of bytes. It has its own offsets and vtables. */
  #nested(field: FieldNode, value: unknown, slot: number, at: number): number {
    let start = room(at, 24);
    while ((offsetOf(start) + 4 - this.origin) % 8 !== 0) out[start++] = 0;
    const base = offsetOf(start);
    this.#point(slot, field.size, base, start);
    const outer = new Map(this.#vtables);
    this.useVtables(NO_VTABLES);
    const next = this.tableAt(field.object!, value, base + 4, 4, start + 8);
    return next === STOPPED ? this.#stopIn(value as object, { kind: 'nested', base, outer }) : this.#endNested(base, outer, next);
  }

  #endNested(base: number, outer: ReadonlyMap<Layout, number>, at: number): number {
    this.useVtables(outer);
    return replaceAt(base, 4, uint32(offsetOf(at) - base - 4), at);
  }

  /** Restores the vtables that a buffer had when writing stopped; none for a new buffer. */
  protected useVtables(vtables: ReadonlyMap<Layout, number>): void {
    this.#vtables.clear();
    this.#lastLayout = undefined;
    for (const [layout, vtable] of vtables) this.#vtables.set(layout, vtable);
  }

  /** Stores the distance to a target in the slot at an offset. */
  #point(slot: number, width: number, target: number, at: number): void {
    const position = at - (offsetOf(at) - slot);
    if (position < 0) replaceAt(slot, 4, uint32(target - slot), at);
    else view.setUint32(position, target - slot, true);
    if (width === 8 && position >= 0) view.setUint32(position + 4, 0, true);
  }

  /** Writes zeros up to an alignment of `size`, for which room is reserved. */
  #align(at: number, size: number): number {
    let next = at;
    for (let left = -(offsetOf(at) - this.origin) & (size - 1); left > 0; left -= 1) out[next++] = 0;
    return next;
  }

  #stopIn(container: object, point: ResumePoint, count?: number): number {
    return this.stopped(container, point, count);
  }
}

export const NO_VTABLES: ReadonlyMap<Layout, number> = new Map();
