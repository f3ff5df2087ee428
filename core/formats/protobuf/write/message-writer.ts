import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED } from '../../../bytes/output.ts';
import { varintBytes, varintSize, writeVarint } from '../../../bytes/varint.ts';
import { EncodeError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { ALL_KNOWN, mayHaveExtraKeys, NOT_COUNTED, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, NESTED_CALLS, Writer } from '../../../writing/writer.ts';
import { ANY, TIMESTAMP } from '../schema/names.ts';
import { BOOL, I32, I64, WIRE } from '../schema/schema.ts';
import { checkOneofs, LIST, MAP, MESSAGES, nextWith, PACKED, SUBMESSAGE, takesNull, UNKNOWN } from './plan.ts';
import type { FieldNode, MessageNode, WritePlan } from './plan.ts';
import { isZero, mapKeyOf, writeScalar } from './scalars.ts';
import type { ProtobufWriteOptions } from '../options.ts';
import { wellKnownMessage } from './well-known.ts';

/** A length prefix whose value is still unknown: its offset, and the bytes reserved for it. */
interface Head {
  readonly offset: number;
  readonly size: number;
}

/** Container in which writing resumes. */
const IN_MESSAGE = 0;
const IN_MESSAGES = 1;
const IN_ITEMS = 2;
const IN_MAP = 3;

/** Resume point in a message, a list of messages or scalars, or a map: writing continues at `next`. */
interface ResumePoint {
  readonly kind: number;
  readonly next: number;
  readonly message: MessageNode | undefined;
  readonly field: FieldNode | undefined;
  readonly keys: readonly unknown[] | undefined;
  /** Length of a message or packed list, or of the map's entry before `next`. */
  readonly head: Head | undefined;
  /** Tag that ends a group. */
  readonly endTag: number;
}

/** Fields written between checks for room in the output: each takes at most 15 bytes unless it makes room itself. */
const FIELDS_WITHOUT_ROOM = 31;
/**
 * Bytes reserved for the lengths of very deep messages, which are many and long: if their contents are long too, a
 * length fills the bytes, as varints may, since moving the contents at each level would take time that is quadratic.
 */
const WIDE_HEAD = 5;
/** Bytes of contents that are moved for the sake of a shorter length. */
const MAX_MOVED = 1 << 13;
/** Key omitted from error paths: the only field of a message that is given as its value. */
const NO_STEP = '$value';

/** Writes messages by a plan (https://protobuf.dev/programming-guides/encoding). */
export class MessageWriter extends Writer {
  readonly #plan: WritePlan;
  readonly #isSequence: boolean;
  readonly #refusesExtra: boolean;
  /** Lengths still unknown when the last slice ended. */
  readonly #heads = new Set<Head>();

  constructor(plan: WritePlan, { sequence = false, extraKeys = 'error' }: ProtobufWriteOptions, limits: Limits) {
    super(limits);
    this.#plan = plan;
    this.#isSequence = sequence;
    this.#refusesExtra = extraKeys === 'error';
  }

  override get pinned(): number {
    let least = Infinity;
    for (const { offset } of this.#heads) least = Math.min(least, offset);
    return least;
  }

  override write(value: unknown, at: number): number {
    this.#heads.clear();
    const { root } = this.#plan;
    if (!this.#isSequence) return this.#message(root, value, NO_HEAD, at);
    this.open();
    return this.#messages(root, undefined, this.#list(value), 0, at);
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    const { kind, message, field, next, keys, head, endTag } = point as ResumePoint;
    switch (kind) {
      case IN_MESSAGE:
        return this.#fields(message!, container as Record<string, unknown>, next, head, endTag, at, NOT_COUNTED);
      case IN_MESSAGES:
        return this.#messages(message!, field, container as Items, next, at);
      case IN_MAP:
        return this.#entries(field!, container as Record<string, unknown>, keys!, next, head === undefined ? at : this.#close(head, at));
      default:
        return this.#items(field!, container as Items, next, head, at, this.resumedCount);
    }
  }

  protected override stepOf(point: unknown): string | number {
    const { kind, message, next, keys } = point as ResumePoint;
    if (kind === IN_MAP) return String(keys![next - 1]);
    if (kind !== IN_MESSAGE) return next - 1;
    return message!.isTransparent ? NO_STEP : message!.fields[next - 1]!.key;
  }

  protected override at(step: string | number, error: unknown, container: object): unknown {
    return step === NO_STEP ? error : super.at(step, error, container);
  }

  /** Writes a message. `endTag` ends a group; it is 0 for a length-prefixed message, and NO_HEAD for a root without a prefix. */
  #message(node: MessageNode, value: unknown, endTag: number, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#message.bind(this, node, value, endTag));
    if (node.isValue && node.kind === ANY) return this.#any(value, endTag, at);
    const given = node.isValue || (node.kind === TIMESTAMP && isDate(value)) ? wellKnownMessage(node, value) : value;
    if (typeof given !== 'object' || given === null) this.fail('type', `${kindOf(given)} where ${node.name} is expected`);
    this.open(given);
    const { fields } = node;
    const { length } = fields;
    if (node.oneofs.length > 0) checkOneofs(node, given as Record<string, unknown>);
    const start = at > soft ? room(at, 0) : at;
    const chunk = out;
    const offset = offsetOf(start);
    const size = endTag === 0 ? this.#headSize(node.head) : 0;
    let next = start + size;
    let index = 0;
    let seen = 0;
    let areAllKnown = true;
    try {
      for (const key in given) {
        let field = fields[index];
        if (field === undefined || field.key !== key) {
          const found = node.hasRequired ? -1 : nextWith(fields, index, key, given);
          if (found < 0) {
            areAllKnown = false;
            break;
          }
          index = found;
          field = fields[index]!;
        }
        seen += 1;
        index += 1;
        const item = (given as Record<string, unknown>)[key];
        // Scalars, the most frequent fields, are written inline.
        if (field.op < SUBMESSAGE && item !== null && item !== undefined) next = writeScalarField(field, item, next);
        else if ((next = this.#field(field, item, next)) === STOPPED)
          return this.#stopInMessage(node, given, index, endTag === 0 ? { offset, size } : undefined, endTag);
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
      }
    } catch (error) {
      throw this.at(node.isTransparent ? NO_STEP : fields[index - 1]!.key, error, given);
    }
    if (!areAllKnown || (index < length && (node.hasRequired || index === 0))) {
      return this.#fields(
        node,
        given as Record<string, unknown>,
        index,
        endTag === 0 ? { offset, size } : undefined,
        endTag,
        next,
        areAllKnown ? ALL_KNOWN : seen,
      );
    }
    this.depth -= 1;
    if (endTag !== 0) return endTag === NO_HEAD ? next : writeVarint(endTag, next);
    if (chunk !== out) return this.#close({ offset, size }, next);
    const bytes = next - start - size;
    const needed = varintSize(bytes);
    if (size === WIDE_HEAD) return this.#close({ offset, size }, next);
    if (needed !== size) {
      out.copyWithin(start + needed, start + size, next);
      next += needed - size;
      node.head = needed;
    }
    writeVarint(bytes, start);
    return next;
  }

  /**
   * Writes the fields from `from` on, in any order of keys, and the end of the message. `seen` is the number of keys
   * that the earlier fields have, or one of the constants that stand for it.
   */
  #fields(node: MessageNode, value: Record<string, unknown>, from: number, head: Head | undefined, endTag: number, at: number, seen: number): number {
    const { fields } = node;
    let index = from;
    let next = at;
    let keys = seen;
    if (index === 0) this.#checkObject(node, value);
    try {
      for (; index < fields.length; index += 1) {
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
        const field = fields[index]!;
        if (!Object.hasOwn(value, field.key)) {
          if (field.isRequired && node.hasRequired) this.fail('missing', 'a required field is missing');
          continue;
        }
        keys += 1;
        next = this.#field(field, value[field.key], next);
        if (next === STOPPED) return this.#stopInMessage(node, value, index + 1, head, endTag);
      }
    } catch (error) {
      throw this.at(node.isTransparent ? NO_STEP : fields[index]!.key, error, value);
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, fields, node.isOther);
    this.depth -= 1;
    if (head !== undefined) return this.#close(head, next);
    return endTag === NO_HEAD ? next : writeVarint(endTag, next);
  }

  /** Rejects an object that has no key of the message's and may not be a message at all. */
  #checkObject(node: MessageNode, value: object): void {
    if (itemsOf(value) !== undefined || bytesOf(value) !== undefined || isDate(value) || isMap(value))
      this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
  }

  /**
   * Writes an Any, an object with its type as `@type`: a message, the value of a well-known type, or bytes of an
   * unknown type.
   */
  #any(value: unknown, endTag: number, at: number): number {
    if (typeof value !== 'object' || value === null) this.fail('type', `${kindOf(value)} where an object with its type as @type is expected`);
    const given = value as Record<string, unknown>;
    const type = Object.hasOwn(given, '@type') ? given['@type'] : undefined;
    const content = Object.hasOwn(given, 'value') ? given['value'] : undefined;
    const message = this.#plan.byName.get(String(type).replace(/^.*\//, ''));
    const { node, typeKey, valueKey } = this.#plan.anyOf(message);
    return this.#message(node, { [typeKey]: type, [valueKey]: message === undefined || message.isValue ? content : value }, endTag, at);
  }

  /** Writes a field with its tag, unless it is absent. */
  #field(field: FieldNode, value: unknown, at: number): number {
    if (value === undefined || (value === null && !takesNull(field))) {
      if (field.isRequired) this.fail('missing', 'a required field is missing');
      return at;
    }
    const { op, tag } = field;
    switch (op) {
      case SUBMESSAGE:
        return this.#message(field.message!, value, field.endTag, writeTag(tag, at));
      case MESSAGES:
        this.open();
        return this.#messages(field.message!, field, this.#list(value), 0, at);
      case LIST:
        this.open();
        return this.#items(field, this.#list(value), 0, undefined, at);
      case PACKED:
        return this.#packed(field, this.#list(value), at);
      case MAP:
        return this.#map(field, value, at);
      case UNKNOWN:
        return this.#unknown(value, at);
      default:
        return writeScalarField(field, value, at);
    }
  }

  #list(value: unknown): Items {
    return itemsOf(value) ?? this.fail('type', `${kindOf(value)} where a list is expected`);
  }

  /** Writes messages, each after the tag of a field, or the messages of a sequence. */
  #messages(node: MessageNode, field: FieldNode | undefined, list: Items, from: number, at: number): number {
    const { length } = list;
    const tag = field === undefined ? 0 : field.tag;
    const endTag = field === undefined ? 0 : field.endTag;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopInList(node, field, list, index, length);
        at = this.#message(node, list[index], endTag, tag === 0 ? at : writeTag(tag, at));
        if (at === STOPPED) return this.#stopInList(node, field, list, index + 1, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** Writes a packed list: one length-delimited field. */
  #packed(field: FieldNode, list: Items, at: number): number {
    const { length } = list;
    this.open();
    if (length === 0) {
      this.depth -= 1;
      return at;
    }
    const start = writeTag(field.tag, at > soft ? room(at, 0) : at);
    const wire = WIRE[field.type];
    const bytes = length * (wire === I64 ? 8 : wire === I32 ? 4 : 1);
    if (wire === I64 || wire === I32 || field.type === BOOL) return this.#items(field, list, 0, undefined, writeVarint(bytes, start), length);
    const size = varintSize(bytes);
    return this.#items(field, list, 0, { offset: offsetOf(start), size }, start + size, length);
  }

  #items(field: FieldNode, list: Items, from: number, head: Head | undefined, at: number, length = list.length): number {
    const { type, tag, enumType } = field;
    const isPacked = field.op === PACKED;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopInItems(field, list, index, head, length);
        at = writeScalar(type, list[index], enumType, isPacked ? at : writeTag(tag, at));
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return head === undefined ? at : this.#close(head, at);
  }

  #map(field: FieldNode, value: unknown, at: number): number {
    if (typeof value !== 'object' || value === null || itemsOf(value) !== undefined || isDate(value))
      this.fail('type', `${kindOf(value)} where a map is expected`);
    this.open();
    const keys: unknown[] = isMap(value) ? [...value.keys()] : Object.keys(value);
    return this.#entries(field, value as Record<string, unknown>, keys, 0, at);
  }

  /** Writes the entries of a map, each a message of key and value. */
  #entries(field: FieldNode, value: Record<string, unknown>, keys: readonly unknown[], from: number, at: number): number {
    const [keyField, valueField] = field.message!.fields as [FieldNode, FieldNode];
    const map = isMap(value) ? value : undefined;
    let index = from;
    let next = at;
    try {
      for (; index < keys.length; index += 1) {
        if (next > soft && (next = pass(next)) === STOPPED) return this.#stopInMap(field, value, keys, index, undefined);
        const start = writeTag(field.tag, next);
        const chunk = out;
        const offset = offsetOf(start);
        const size = this.#headSize(field.head);
        const key = keys[index];
        next = writeScalar(keyField.type, map ? key : mapKeyOf(keyField.type, key as string), undefined, writeTag(keyField.tag, start + size));
        const mapValue: unknown = map ? map.get(key) : value[key as string];
        if (mapValue === undefined) this.fail('type', 'the value of a map must not be undefined');
        if (valueField.op === SUBMESSAGE) next = this.#message(valueField.message!, mapValue, 0, writeTag(valueField.tag, next));
        else next = writeScalar(valueField.type, mapValue, valueField.enumType, writeTag(valueField.tag, next));
        if (next === STOPPED) return this.#stopInMap(field, value, keys, index + 1, { offset, size });
        if (chunk === out && varintSize(next - start - size) === size) writeVarint(next - start - size, start);
        else {
          next = this.#close({ offset, size }, next);
          if (chunk === out && size !== WIDE_HEAD) field.head = varintSize(next - start - size);
        }
      }
    } catch (error) {
      throw this.at(String(keys[index]), error, value);
    }
    this.depth -= 1;
    return next;
  }

  /** Writes unknown fields unchanged. */
  #unknown(value: unknown, at: number): number {
    const list = this.#list(value);
    let next = at;
    for (let index = 0, { length } = list; index < length; index += 1) {
      const { number, wireType, data } = (list[index] ?? {}) as Record<string, unknown>;
      const bytes = bytesOf(data);
      const isField =
        Number.isInteger(number) && (number as number) > 0 && (number as number) < 2 ** 29 && [0, 1, 2, 3, 5].includes(wireType as number);
      if (!isField || bytes === undefined) throw this.at(index, new EncodeError('type', 'an unknown field is { number, wireType, data }'), list);
      if (next > soft) next = room(next, 0);
      next = writeBytes(bytes, writeVarint((number as number) * 8 + (wireType as number), next));
    }
    return next;
  }

  /** Bytes to reserve for a length. */
  #headSize(usual: number): number {
    return this.depth > NESTED_CALLS ? WIDE_HEAD : usual;
  }

  /** Writes a length into its reserved bytes. */
  #close(head: Head, at: number): number {
    this.#heads.delete(head);
    const { offset, size } = head;
    const bytes = offsetOf(at) - offset - size;
    const length = varintBytes(bytes);
    if (size !== WIDE_HEAD || bytes < MAX_MOVED) return replaceAt(offset, size, length, at);
    const padded = new Uint8Array(size).fill(0x80);
    padded.set(length);
    padded[length.length - 1]! |= 0x80;
    padded[size - 1]! &= 0x7f;
    return replaceAt(offset, size, padded, at);
  }

  #stopInMessage(message: MessageNode, container: object, next: number, head: Head | undefined, endTag: number): number {
    return this.#stop(container, { kind: IN_MESSAGE, next, message, field: undefined, keys: undefined, head, endTag });
  }

  #stopInList(message: MessageNode, field: FieldNode | undefined, container: object, next: number, count: number): number {
    return this.#stop(container, { kind: IN_MESSAGES, next, message, field, keys: undefined, head: undefined, endTag: 0 }, count);
  }

  #stopInItems(field: FieldNode, container: object, next: number, head: Head | undefined, count: number): number {
    return this.#stop(container, { kind: IN_ITEMS, next, message: undefined, field, keys: undefined, head, endTag: 0 }, count);
  }

  #stopInMap(field: FieldNode, container: object, keys: readonly unknown[], next: number, head: Head | undefined): number {
    return this.#stop(container, { kind: IN_MAP, next, message: undefined, field, keys, head, endTag: 0 });
  }

  #stop(container: object, point: ResumePoint, count?: number): number {
    if (point.head !== undefined) this.#heads.add(point.head);
    return this.stopped(container, point, count);
  }
}

/** Given as the end tag: the message has neither a length nor an end tag. */
const NO_HEAD = -1;

/** Writes a scalar with its tag. */
function writeScalarField(field: FieldNode, value: unknown, at: number): number {
  const { op, enumType } = field;
  if (field.skipsZero && isZero(op, value, enumType)) return at;
  return writeScalar(op, value, enumType, writeTag(field.tag, at));
}

function writeTag(tag: number, at: number): number {
  if (tag < 0x80) {
    out[at] = tag;
    return at + 1;
  }
  return writeVarint(tag, at);
}
