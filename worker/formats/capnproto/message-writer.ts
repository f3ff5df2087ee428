import { bytesOf, type Items, itemsOf, writeBytes } from '../../bytes/binary-values.ts';
import * as fixed from '../../bytes/fixed-scalars.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view, withdrawFrom } from '../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../bytes/utf8.ts';
import { EncodeError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { kindOf, Writer } from '../writer.ts';
import { pack } from './pack.ts';
import { BITS, BOOL, DATA, ENUM, GROUP, INTERFACE, isPointer, LIST, STRUCT, TEXT, VOID } from './schema.ts';
import type { FieldNode, StructNode, TypeNode } from './write-plan.ts';

/** Sizes of the items of a list, by their bits. */
const ITEM_SIZES = new Map([[0, 0], [1, 1], [8, 2], [16, 3], [32, 4], [64, 5]]);
const POINTERS = 6;
const COMPOSITE = 7;
/** The most items or words of a list. */
const MOST_ITEMS = 2 ** 29 - 1;
/** Bytes that are packed at once. */
const PACKED_AT_ONCE = 1 << 18;
/** Between the steps of a path that belong to one field, in a group. */
const BETWEEN = '\u0000';

/** How messages are framed. */
export interface Framing {
  readonly packed: boolean;
  readonly flat: boolean;
  readonly sequence: boolean;
}

/** Bytes that were written, of which pointers are still to be filled in: they stay where they are until the message ends. */
interface Region {
  readonly view: DataView;
  /** Where it is in the view, and in the output. */
  readonly at: number;
  readonly offset: number;
}

/** The fields of a struct that are pointers, with their values. */
interface Pointers {
  readonly fields: FieldNode[];
  readonly items: unknown[];
  /** The keys that lead to each. */
  readonly steps: string[];
}

interface StructPlace {
  readonly kind: 'struct';
  readonly pointers: Pointers;
  readonly region: Region;
  readonly next: number;
}

interface ListPlace {
  readonly kind: 'list' | 'structs' | 'scalars';
  readonly node: TypeNode;
  readonly region: Region;
  readonly next: number;
}

interface MessagePlace {
  readonly kind: 'message' | 'sequence' | 'packing';
  readonly next: number;
  /** The words that are packed. */
  readonly words: Uint8Array | undefined;
}

type Place = StructPlace | ListPlace | MessagePlace;

/**
 * Writes Cap'n Proto messages of one segment (https://capnproto.org/encoding.html) from the front to the back: a struct or
 * list, then what its pointers lead to, which are filled in as that is begun.
 */
export class MessageWriter extends Writer {
  readonly #root: StructNode;
  readonly #framing: Framing;
  /** Where the message begins; its bytes are not given out before it ends. */
  #origin = Infinity;

  constructor(root: StructNode, framing: Framing, limits: Limits) {
    super(limits);
    this.#root = root;
    this.#framing = framing;
  }

  override get pinned(): number {
    return this.#origin;
  }

  override write(value: unknown, at: number): number {
    if (!this.#framing.sequence) return this.#message(value, at);
    this.open();
    return this.#sequence(itemsOf(value) ?? this.fail('type', `${kindOf(value)} where an array of messages is expected`), 0, at);
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    const now = place as Place;
    switch (now.kind) {
      case 'struct':
        return this.#pointers(container, now.pointers, now.region, now.next, at);
      case 'structs':
        return this.#structs(now.node, container as Items, now.region, now.next, at);
      case 'list':
        return this.#items(now.node, container as Items, now.region, now.next, at);
      case 'scalars':
        return this.#scalars(now.node, container as Items, now.next, at);
      case 'message':
        return this.#end(container, at);
      case 'packing':
        return this.#pack(container, now.words!, now.next, at);
      default:
        return this.#sequence(container as Items, now.next, at);
    }
  }

  protected override stepOf(place: unknown): string | number {
    const now = place as Place;
    if (now.kind === 'struct') return now.pointers.steps[now.next - 1]!;
    return now.kind === 'message' || now.kind === 'packing' ? '' : now.next - 1;
  }

  protected override at(step: string | number, error: unknown, container: object): unknown {
    if (typeof step === 'number') return super.at(step, error, container);
    if (step === '') return error;
    let outer = error;
    for (const one of step.split(BETWEEN).toReversed()) outer = super.at(one, outer, container);
    return outer;
  }

  #sequence(list: Items, from: number, at: number): number {
    let index = from;
    try {
      for (; index < list.length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'sequence', next: index, words: undefined });
        if ((at = this.#message(list[index], at)) === STOPPED) return this.#stopIn(list, { kind: 'sequence', next: index + 1, words: undefined });
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    this.depth -= 1;
    return at;
  }

  /** A message is the number of its segments less 1, the words of the one, and that, which begins with the root's pointer. */
  #message(value: unknown, at: number): number {
    let start = room(at, 16);
    this.#origin = offsetOf(start);
    if (!this.#framing.flat) {
      view.setUint32(start, 0, true);
      start += 8;
    }
    const region: Region = { view, at: start, offset: offsetOf(start) };
    view.setFloat64(start, 0);
    const next = this.#struct(this.#root, value, region, start + 8);
    return next === STOPPED ? this.#stopIn(value as object, { kind: 'message', next: 0, words: undefined }) : this.#end(value as object, next);
  }

  #end(value: object, at: number): number {
    const origin = this.#origin;
    const { flat, packed } = this.#framing;
    const words = (offsetOf(at) - origin) / 8 - 1;
    let next = at;
    if (!flat) next = replaceAt(origin + 4, 4, Uint8Array.of(words, words >>> 8, words >>> 16, words >>> 24), at);
    this.#origin = Infinity;
    if (!packed) return next;
    const { bytes, continueAt } = withdrawFrom(origin, next);
    return this.#pack(value, bytes, 0, continueAt);
  }

  #pack(value: object, words: Uint8Array, from: number, at: number): number {
    let next = at;
    for (let start = from; start < words.length; start += PACKED_AT_ONCE) {
      if (next > soft && (next = pass(next)) === STOPPED) return this.#stopIn(value, { kind: 'packing', next: start, words });
      next = writeBytes(pack(words, start, Math.min(words.length, start + PACKED_AT_ONCE)), next);
    }
    return next;
  }

  /** Writes a struct that the pointer at the start of `slot` leads to. */
  #struct(node: StructNode, value: unknown, slot: Region, at: number): number {
    const { dataWords, pointers } = node;
    const size = 8 * (dataWords + pointers);
    const start = room(at, size);
    const region: Region = { view, at: start, offset: offsetOf(start) };
    // A struct without words is told from null by where it is.
    const words = size === 0 ? -1 : (region.offset - slot.offset) / 8 - 1;
    slot.view.setInt32(slot.at, words << 2, true);
    slot.view.setUint32(slot.at + 4, dataWords | (pointers << 16), true);
    out.fill(0, start, start + size);
    return this.#content(node, value, region, start + size);
  }

  /** Writes what is in a struct, and then what its pointers lead to. */
  #content(node: StructNode, value: unknown, region: Region, at: number): number {
    this.open();
    const found: Pointers = { fields: [], items: [], steps: [] };
    this.#data(node, value, region.view, region.at, '', found);
    if (found.fields.length === 0) {
      this.depth -= 1;
      return at;
    }
    return this.#pointers(value as object, found, { view: region.view, at: region.at + 8 * node.dataWords, offset: region.offset + 8 * node.dataWords }, 0, at);
  }

  /** Writes the scalars of a struct or of a group in it, and notes the pointers. `prefix` are the keys of the groups. */
  #data(node: StructNode, given: unknown, region: DataView, start: number, prefix: string, found: Pointers): void {
    if (typeof given !== 'object' || given === null || itemsOf(given) !== undefined || given instanceof Date || given instanceof Map) this.fail('type', `${kindOf(given)} where ${node.name} is expected`);
    const value = given as Record<string, unknown>;
    if (node.discriminant >= 0) this.#setMember(node, value, region, start);
    for (const field of node.fields) {
      const { key, node: type } = field;
      const item = Object.hasOwn(value, key) ? value[key] : undefined;
      if (item === undefined) continue;
      try {
        if (type.type === GROUP) this.#data(type.struct!, item, region, start, `${prefix}${key}${BETWEEN}`, found);
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
  }

  #setMember({ name, members, discriminant }: StructNode, value: Record<string, unknown>, region: DataView, start: number): void {
    let set: FieldNode | undefined;
    for (const member of members) {
      if (!Object.hasOwn(value, member.key) || value[member.key] === undefined) continue;
      if (set !== undefined) this.fail('type', `two members of the union of ${name}: ${set.key} and ${member.key}`);
      set = member;
    }
    if (set !== undefined) region.setUint16(start + discriminant, set.member, true);
  }

  /** Writes what the pointers of a struct lead to, from one on. */
  #pointers(value: object, pointers: Pointers, region: Region, from: number, at: number): number {
    const { fields, items, steps } = pointers;
    let index = from;
    let next = at;
    try {
      for (; index < fields.length; index += 1) {
        const { node, place } = fields[index]!;
        next = this.#pointer(node, items[index], slotOf(region, place), next);
        if (next === STOPPED) return this.#stopIn(value, { kind: 'struct', pointers, region, next: index + 1 });
      }
    } catch (error) {
      throw this.at(steps[index]!, error, value);
    }
    this.depth -= 1;
    return next;
  }

  #pointer(node: TypeNode, item: unknown, slot: Region, at: number): number {
    switch (node.type) {
      case TEXT:
        return this.#text(item, slot, at);
      case DATA: {
        const bytes = bytesOf(item);
        if (bytes === undefined) this.fail('type', `${kindOf(item)} where data are expected`);
        this.#setList(slot, 2, bytes.length, at);
        return padded(writeBytes(bytes, at), bytes.length);
      }
      case LIST:
        return this.#list(node.item!, item, slot, at);
      case STRUCT:
        return this.#struct(node.struct!, item, slot, at);
      default:
        return this.fail('unsupported', node.type === INTERFACE ? 'a capability' : 'an untyped pointer');
    }
  }

  /** A text is a list of its bytes and a zero. */
  #text(item: unknown, slot: Region, at: number): number {
    if (typeof item !== 'string') this.fail('type', `${kindOf(item)} where a text is expected`);
    const { length } = item;
    const start = length > LONG ? at : room(at, 3 * length + 9);
    const offset = offsetOf(start);
    const end = length > LONG ? writePieces(item, start) : writeUtf8(item, start);
    if (end < 0) this.fail('text', 'a string with a lone surrogate');
    const bytes = (length > LONG ? utf8Length(item) : end - start) + 1;
    this.#setPointer(slot, 2, bytes, offset);
    out[end] = 0;
    return padded(end + 1, bytes);
  }

  #list(item: TypeNode, value: unknown, slot: Region, at: number): number {
    const list = itemsOf(value);
    if (list === undefined) this.fail('type', `${kindOf(value)} where a list is expected`);
    const { length } = list;
    this.open();
    if (item.type === STRUCT) {
      const { dataWords, pointers } = item.struct!;
      const words = length * (dataWords + pointers);
      const start = room(at, 8 + 8 * words);
      this.#setList(slot, COMPOSITE, words, start);
      view.setUint32(start, length << 2, true);
      view.setUint32(start + 4, dataWords | (pointers << 16), true);
      out.fill(0, start + 8, start + 8 + 8 * words);
      const region: Region = { view, at: start + 8, offset: offsetOf(start) + 8 };
      return this.#structs(item, list, region, 0, start + 8 + 8 * words);
    }
    if (isPointer(item.type)) {
      const start = room(at, 8 * length);
      this.#setList(slot, POINTERS, length, start);
      out.fill(0, start, start + 8 * length);
      return this.#items(item, list, { view, at: start, offset: offsetOf(start) }, 0, start + 8 * length);
    }
    this.#setList(slot, ITEM_SIZES.get(BITS[item.type]!)!, length, at);
    if (item.type === BOOL) return this.#bits(list, at);
    return this.#scalars(item, list, 0, at);
  }

  #structs(node: TypeNode, list: Items, region: Region, from: number, at: number): number {
    const { length } = list;
    const struct = node.struct!;
    const size = 8 * (struct.dataWords + struct.pointers);
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'structs', node, region, next: index });
        at = this.#content(struct, list[index], { view: region.view, at: region.at + index * size, offset: region.offset + index * size }, at);
        if (at === STOPPED) return this.#stopIn(list, { kind: 'structs', node, region, next: index + 1 });
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, at);
  }

  /** The pointers of a list. */
  #items(node: TypeNode, list: Items, region: Region, from: number, at: number): number {
    const { length } = list;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'list', node, region, next: index });
        const item = list[index];
        if (item === null || item === undefined) continue;
        at = this.#pointer(node, item, slotOf(region, index), at);
        if (at === STOPPED) return this.#stopIn(list, { kind: 'list', node, region, next: index + 1 });
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, at);
  }

  #scalars(node: TypeNode, list: Items, from: number, at: number): number {
    const { length } = list;
    const bytes = BITS[node.type]! / 8;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopIn(list, { kind: 'scalars', node, region: NO_REGION, next: index });
        if (node.type === VOID) continue;
        fixed.writeFixed(node.kind, this.scalarOf(node, list[index]), at);
        at += bytes;
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#endList(list, length, padded(at, length * bytes));
  }

  /** Booleans, eight in a byte. */
  #bits(list: Items, at: number): number {
    const size = 8 * Math.ceil(list.length / 64);
    const start = room(at, size);
    out.fill(0, start, start + size);
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index];
      if (typeof item !== 'boolean') throw this.at(index, new EncodeError('type', `${kindOf(item)} where a boolean is expected`), list);
      if (item) out[start + (index >> 3)]! |= 1 << (index & 7);
    }
    this.depth -= 1;
    return start + size;
  }

  #endList(list: Items, length: number, at: number): number {
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** The number of an enum's value, which is given as such or by its name; other scalars as they are. */
  scalarOf({ type, names, enumName }: TypeNode, value: unknown): unknown {
    if (type !== ENUM || typeof value !== 'string') return value;
    return names.get(value) ?? this.fail('range', `${JSON.stringify(value)} is not a value of ${enumName}`);
  }

  #setList(slot: Region, itemSize: number, count: number, at: number): void {
    this.#setPointer(slot, itemSize, count, offsetOf(at));
  }

  #setPointer(slot: Region, itemSize: number, count: number, target: number): void {
    if (count > MOST_ITEMS) this.fail('range', `a list of more than ${MOST_ITEMS} items or words`);
    slot.view.setInt32(slot.at, (((target - slot.offset) / 8 - 1) << 2) | 1, true);
    slot.view.setUint32(slot.at + 4, itemSize | (count << 3), true);
  }

  #stopIn(container: object, place: Place): number {
    return this.stopped(container, place);
  }
}

const NO_REGION: Region = { view: new DataView(new ArrayBuffer(0)), at: 0, offset: 0 };

/** Writes a scalar as the difference from its default. */
function setScalar(writer: MessageWriter, field: FieldNode, item: unknown, region: DataView, start: number): void {
  const { node, place, bit, low, high } = field;
  const at = start + place;
  if (node.type === VOID) return;
  if (node.type === BOOL) {
    if (typeof item !== 'boolean') fixed.writeFixed(fixed.BOOL, item, 0);
    if (item !== ((low & 1) !== 0)) region.setUint8(at, region.getUint8(at) | (1 << bit));
    return;
  }
  // The struct may lie in a chunk that is full.
  if (region === view) fixed.writeFixed(node.kind, writer.scalarOf(node, item), at);
  else fixed.writeFixedIn(region, node.kind, writer.scalarOf(node, item), at);
  if (low === 0 && high === 0) return;
  const bytes = BITS[node.type]! / 8;
  for (let index = 0; index < bytes; index += 1) {
    const mask = index < 4 ? low >>> (8 * index) : high >>> (8 * (index - 4));
    region.setUint8(at + index, region.getUint8(at + index) ^ mask);
  }
}

/** The pointer of an index in the pointers of a struct or a list. */
function slotOf({ view: of, at, offset }: Region, index: number): Region {
  return { view: of, at: at + 8 * index, offset: offset + 8 * index };
}

/** Zeros up to the next word, behind so many bytes. */
function padded(at: number, bytes: number): number {
  let next = at;
  for (let left = -bytes & 7; left > 0; left -= 1) out[next++] = 0;
  return next;
}
