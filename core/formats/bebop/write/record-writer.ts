import { isDate, isMap } from '../../../values/class-of.ts';
import { type Items, itemsOf } from '../../../writing/binary-values.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view } from '../../../bytes/output.ts';
import type { Limits } from '../../../limits.ts';
import { ALL_KNOWN, mayHaveExtraKeys, NOT_COUNTED, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import type { BebopWriteOptions } from '../options.ts';
import { ARRAY, ENUM, MAP, MESSAGE, STRING, STRUCT, UNION } from '../schema/schema.ts';
import type { WriteNode } from './plan.ts';
import { mapKeyOf, writeScalar, writeString } from './scalars.ts';

/**
 * Mask for how many fields are written between two checks for room: none takes more than 17 bytes without its own
 * check.
 */
const FIELDS_WITHOUT_ROOM = 31;

/** The keys of a union's value. */
const UNION_FIELDS = [{ key: 'discriminator' }, { key: 'value' }];

/** The index of the field named `key` if the fields from `from` up to it are absent; −1 otherwise. */
function nextWith(fields: WriteNode['fields'], from: number, key: string, value: object): number {
  for (let index = from; index < fields.length; index += 1) {
    const { name } = fields[index]!;
    if (name === key) return index;
    if (Object.hasOwn(value, name)) return -1;
  }
  return -1;
}

/** The length of a message or union, which is written at its end. */
interface Length {
  readonly offset: number;
}

/** Where to resume in a record, an array, a map or a union: after its first `next` parts. */
interface Place {
  readonly node: WriteNode;
  readonly next: number;
  /** True for the items of an array or a sequence, whose type is `node`. */
  readonly isList: boolean;
  readonly length: Length | undefined;
  readonly keys: readonly unknown[] | undefined;
}

/** Writes Bebop records with a plan (https://docs.bebop.sh/reference/wire-format). */
export class RecordWriter extends Writer {
  readonly #root: WriteNode;
  readonly #isSequence: boolean;
  readonly #refusesExtra: boolean;
  /** Lengths that were open when a slice ended. */
  readonly #open = new Set<Length>();

  constructor(root: WriteNode, { sequence = false, extraKeys = 'error' }: BebopWriteOptions, limits: Limits) {
    super(limits);
    this.#root = root;
    this.#isSequence = sequence;
    this.#refusesExtra = extraKeys === 'error';
  }

  override get pinned(): number {
    let least = Infinity;
    for (const { offset } of this.#open) least = Math.min(least, offset);
    return least;
  }

  override write(value: unknown, at: number): number {
    this.#open.clear();
    if (!this.#isSequence) return this.#value(this.#root, value, at);
    this.open();
    return this.#items(this.#root, this.#list(value), 0, at);
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    const { node, next, isList, length, keys } = place as Place;
    const value = container as Record<string, unknown>;
    if (keys !== undefined) return this.#entries(node, value, keys, next, at);
    if (isList) return this.#items(node, container as Items, next, at, this.resumedCount);
    if (node.kind === UNION) {
      this.depth -= 1;
      return this.#close(length!, 5, at);
    }
    return node.kind === MESSAGE
      ? this.#messageFields(node, value, next, length!, at, NOT_COUNTED)
      : this.#structFields(node, value, next, at, NOT_COUNTED);
  }

  protected override stepOf(place: unknown): string | number {
    const { node, next, isList, keys } = place as Place;
    if (keys !== undefined) return String(keys[next - 1]);
    if (isList) return next - 1;
    return node.kind === UNION ? 'value' : node.fields[next - 1]!.name;
  }

  #value(node: WriteNode, value: unknown, at: number): number {
    switch (node.kind) {
      case STRUCT:
      case MESSAGE:
      case UNION:
        return this.#recordOf(node, value, at);
      case ARRAY:
        return this.#array(node, value, at);
      case MAP:
        return this.#map(node, value, at);
      default:
        return writeScalar(node, value, at);
    }
  }

  #recordOf(node: WriteNode, value: unknown, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#recordOf.bind(this, node, value));
    if (node.kind === STRUCT) return this.#struct(node, value, at);
    return node.kind === MESSAGE ? this.#message(node, value, at) : this.#union(node, value, at);
  }

  #list(value: unknown): Items {
    return itemsOf(value) ?? this.fail('type', `${kindOf(value)} where an array is expected`);
  }

  #record(node: WriteNode, value: unknown): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
    return value as Record<string, unknown>;
  }

  /** Writes a struct: its fields. */
  #struct(node: WriteNode, given: unknown, at: number): number {
    const value = this.#record(node, given);
    this.open(value);
    const { fields } = node;
    const { length } = fields;
    let next = at > soft ? room(at, 0) : at;
    let index = 0;
    let hasOthers = false;
    try {
      for (const key in value) {
        if (index === length || fields[index]!.name !== key) {
          hasOthers = true;
          break;
        }
        const item = value[key];
        if (item === undefined) break;
        const { node: type } = fields[index]!;
        index += 1;
        // The most common types, without a further call.
        if (type.kind === STRING) next = writeString(item, next);
        else if (type.kind < ARRAY || type.kind >= ENUM) next = writeScalar(type, item, next);
        else if ((next = this.#value(type, item, next)) === STOPPED) return this.#stop(value, node, index);
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
      }
    } catch (error) {
      throw this.at(fields[index - 1]?.name, error, value);
    }
    if (index < length || hasOthers) return this.#structFields(node, value, index, next, index);
    this.depth -= 1;
    return next;
  }

  /** Writes the fields from index `from` on, with keys in any order. `seen` counts the keys of the fields before. */
  #structFields(node: WriteNode, value: Record<string, unknown>, from: number, at: number, seen: number): number {
    const { fields } = node;
    let index = from;
    let next = at;
    try {
      for (; index < fields.length; index += 1) {
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
        const { name, node: type } = fields[index]!;
        const item = Object.hasOwn(value, name) ? value[name] : undefined;
        if (item === undefined) this.fail('missing', 'a field of a struct is missing');
        if ((next = this.#value(type, item, next)) === STOPPED) return this.#stop(value, node, index + 1);
      }
    } catch (error) {
      throw this.at(fields[index]!.name, error, value);
    }
    // All of its fields are present.
    if (this.#refusesExtra && mayHaveExtraKeys(value, seen < 0 ? seen : fields.length)) refuseExtraKeys(value, node.name, fields);
    this.depth -= 1;
    return next;
  }

  /** Writes a message: its length, the present fields that are not deprecated with an index before each, and a zero. */
  #message(node: WriteNode, given: unknown, at: number): number {
    const value = this.#record(node, given);
    this.open(value);
    const start = at > soft ? room(at, 0) : at;
    const length: Length = { offset: offsetOf(start) };
    const { fields } = node;
    let next = start + 4;
    let index = 0;
    let seen = 0;
    let areAllKnown = true;
    try {
      for (const key in value) {
        const found = nextWith(fields, index, key, value);
        if (found < 0) {
          areAllKnown = false;
          break;
        }
        index = found + 1;
        seen += 1;
        const item = value[key];
        const field = fields[found]!;
        if (item === undefined || item === null || field.isDeprecated) continue;
        if (next > soft) next = room(next, 0);
        out[next] = field.index;
        if ((next = this.#value(field.node, item, next + 1)) === STOPPED) return this.#stop(value, node, index, length);
      }
    } catch (error) {
      throw this.at(fields[index - 1]?.name, error, value);
    }
    return this.#messageFields(node, value, areAllKnown ? fields.length : index, length, next, areAllKnown ? ALL_KNOWN : seen);
  }

  #messageFields(node: WriteNode, value: Record<string, unknown>, from: number, length: Length, at: number, seen: number): number {
    const { fields } = node;
    let index = from;
    let next = at;
    let keys = seen;
    try {
      for (; index < fields.length; index += 1) {
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
        const field = fields[index]!;
        if (!Object.hasOwn(value, field.name)) continue;
        keys += 1;
        const item = value[field.name];
        if (item === undefined || item === null || field.isDeprecated) continue;
        out[next] = field.index;
        if ((next = this.#value(field.node, item, next + 1)) === STOPPED) return this.#stop(value, node, index + 1, length);
      }
    } catch (error) {
      throw this.at(fields[index]!.name, error, value);
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, fields);
    this.depth -= 1;
    out[next] = 0;
    return this.#close(length, 4, next + 1);
  }

  /** Writes a union: the length of its value, the discriminator, and the value. */
  #union(node: WriteNode, given: unknown, at: number): number {
    const value = this.#record(node, given);
    const { discriminator, value: inner } = value;
    if (this.#refusesExtra && mayHaveExtraKeys(value, 2)) refuseExtraKeys(value, node.name, UNION_FIELDS);
    const branch = node.branches.get(discriminator as number);
    if (branch === undefined) this.fail(typeof discriminator === 'number' ? 'range' : 'type', `a discriminator that ${node.name} does not have`);
    this.open();
    const start = at > soft ? room(at, 0) : at;
    const length: Length = { offset: offsetOf(start) };
    out[start + 4] = discriminator as number;
    let next: number;
    try {
      next = this.#value(branch, inner, start + 5);
    } catch (error) {
      throw this.at('value', error, value);
    }
    if (next === STOPPED) return this.#stop(value, node, 1, length);
    this.depth -= 1;
    return this.#close(length, 5, next);
  }

  /** Writes an array: the number of its items, and the items. */
  #array(node: WriteNode, value: unknown, at: number): number {
    const list = this.#list(value);
    const { length } = list;
    this.open();
    const start = at > soft ? room(at, 0) : at;
    view.setUint32(start, length, true);
    return this.#items(node.item!, list, 0, start + 4, length);
  }

  /** Writes items of a type. */
  #items(node: WriteNode, list: Items, from: number, at: number, length = list.length): number {
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopInList(list, node, index, length);
        if ((at = this.#value(node, list[index], at)) === STOPPED) return this.#stopInList(list, node, index + 1, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** Writes a map: the number of its entries, and a key and a value for each. */
  #map(node: WriteNode, value: unknown, at: number): number {
    if (typeof value !== 'object' || value === null || itemsOf(value) !== undefined || isDate(value))
      this.fail('type', `${kindOf(value)} where a map is expected`);
    this.open();
    const keys: unknown[] = isMap(value) ? [...value.keys()] : Object.keys(value);
    const start = at > soft ? room(at, 0) : at;
    view.setUint32(start, keys.length, true);
    return this.#entries(node, value as Record<string, unknown>, keys, 0, start + 4);
  }

  #entries(node: WriteNode, value: Record<string, unknown>, keys: readonly unknown[], from: number, at: number): number {
    const key = node.key!;
    const item = node.item!;
    const map = isMap(value) ? value : undefined;
    let index = from;
    try {
      for (; index < keys.length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(value, node, index, undefined, keys);
        const given = keys[index];
        at = writeScalar(key, map ? given : mapKeyOf(key, given as string), at);
        at = this.#value(item, map ? map.get(given) : value[given as string], at);
        if (at === STOPPED) return this.#stop(value, node, index + 1, undefined, keys);
      }
    } catch (error) {
      throw this.at(String(keys[index]), error, value);
    }
    this.depth -= 1;
    return at;
  }

  /** Writes the length of a message or union, whose content begins `head` bytes after it. */
  #close(length: Length, head: number, at: number): number {
    this.#open.delete(length);
    const end = offsetOf(at);
    const bytes = end - length.offset - head;
    const place = at - (end - length.offset);
    if (place >= 0) {
      view.setUint32(place, bytes, true);
      return at;
    }
    return replaceAt(length.offset, 4, Uint8Array.of(bytes, bytes >>> 8, bytes >>> 16, bytes >>> 24), at);
  }

  #stop(container: object, node: WriteNode, next: number, length?: Length, keys?: readonly unknown[]): number {
    if (length !== undefined) this.#open.add(length);
    const place: Place = { node, next, isList: false, length, keys };
    return this.stopped(container, place);
  }

  #stopInList(list: object, node: WriteNode, next: number, count: number): number {
    const place: Place = { node, next, isList: true, length: undefined, keys: undefined };
    return this.stopped(list, place, count);
  }
}
