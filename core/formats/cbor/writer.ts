import { joined } from '../../bytes/byte-input.ts';
import { writeBytes } from '../../writing/binary-values.ts';
import { countOf } from '../../bytes/count.ts';
import { offsetOf, out, Output, pass, replaceAt, room, soft, STOPPED, view } from '../../bytes/output.ts';
import type { Limits } from '../../limits.ts';
import { classOf, isDate, isUint8Array } from '../../values/class-of.ts';
import {
  errorParts,
  hasToJson,
  type HasToJson,
  isBoxed,
  isOpaque,
  opaqueReason,
  keysOf,
  objectsInheritKeys,
  textOf,
} from '../../writing/written-classes.ts';
import { type KeyNode, KeyNodes } from '../../writing/key-nodes.ts';
import { EntryPlace, FieldPlace } from '../../writing/resume-points.ts';
import { RecordIds } from '../../writing/record-ids.ts';
import { RecordWriter } from '../../writing/record-writer.ts';
import { SharedValues } from '../../writing/shared-values.ts';
import { isWide, StringBundle } from '../../writing/string-bundle.ts';
import { type FormatWriter, NESTED_CALLS } from '../../writing/writer.ts';
import { ARRAY, BYTES, head, headBytes, headSize, MAP, TAG, TEXT, UNSIGNED } from './write/heads.ts';
import type { CborClass, CborWriteOptions } from './options.ts';
import { CborSimple, CborTag } from './revive.ts';
import { integerOf, ObjectKeys, sortKeys } from './write/deterministic-items.ts';
import { isInt64, type NumberSetting, writeBigint, writeFloat, writeNumber, writeSeconds } from './write/numbers.ts';
import { BUNDLE_FORM, RECORD_NUMBERS } from './write/records.ts';
import { writeString } from './write/strings.ts';
import { writeBinary, writeSimple, writeTag } from './write/values.ts';

export type { CborClass, CborWriteOptions } from './options.ts';

const PLAIN = Object.prototype;
const KEYS = new KeyNodes((bytes) => headBytes(TEXT, bytes));

/** An item that is already encoded. */
class Encoded {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Writes CBOR (RFC 8949) with typed arrays (RFC 8746) and cbor-x's extensions. */
class CborWriter extends RecordWriter {
  protected override readonly records: RecordIds | undefined;
  protected override readonly wantsRecord: ((value: object) => boolean) | undefined;
  readonly #options: CborWriteOptions;
  readonly #isCborX: boolean;
  readonly #extensions: readonly CborClass[] | undefined;
  #bundle: StringBundle | undefined;
  readonly #packed: ReadonlyMap<unknown, number> | undefined;
  readonly #numbers: NumberSetting;
  /** `#numbers` without loss. */
  readonly #exactNumbers: NumberSetting;
  readonly #sorted: ObjectKeys | undefined;
  /** Keys are not sorted and no offset after the heads of maps is stored, so the heads may be corrected. */
  readonly #isSimple: boolean;
  /** `for … in` finds only own keys in plain objects. */
  #isClean = true;
  /** How many values at this root were marked as shared. */
  #marked = 0;
  /** How many keys the last object had: the guess for the next. */
  #guess = 0;
  /** A value is encoded separately. */
  #isApart = false;

  constructor(options: CborWriteOptions, limits: Limits) {
    const { records = false, deterministic = false, float32 = 'shortest', bundleStrings = false, references = false } = options;
    const wraps = options.sequence === true || references || bundleStrings;
    // The tag or array around the values at the root counts as an open container.
    super(wraps ? { ...limits, depth: limits.depth + 1 } : limits);
    this.#options = options;
    this.#isCborX = options.cborx ?? deterministic === false;
    this.#extensions = options.extensions;
    this.records = records === false ? undefined : RecordIds.of(options, RECORD_NUMBERS);
    this.wantsRecord = typeof records === 'function' ? records : undefined;
    this.#bundle = bundleStrings ? new StringBundle(BUNDLE_FORM) : undefined;
    const { packedValues } = options;
    this.#packed = packedValues && new Map(Array.from(packedValues, (value, index) => [value, index] as const).reverse());
    const isForCborX = records !== false || references || bundleStrings;
    this.#numbers = { floats: float32, floatsForInt64: (options.int64 ?? (isForCborX ? 'float' : 'integer')) === 'float' };
    this.#exactNumbers = { floats: float32 === 'shortest' || float32 === 'exact' ? float32 : 'never', floatsForInt64: false };
    this.#sorted = deterministic === false ? undefined : new ObjectKeys(deterministic === 'length-first', options.numericKeys === true);
    this.#isSimple =
      !bundleStrings && packedValues === undefined && this.#sorted === undefined && options.skipValues === undefined && options.numericKeys !== true;
  }

  override get pinned(): number {
    return this.#bundle?.pinned ?? Infinity;
  }

  protected override writeRoot(value: unknown, at: number): number {
    const { sequence = false, references = false, selfDescribed = false } = this.#options;
    this.#isClean = !objectsInheritKeys();
    this.#marked = 0;
    this.shared = undefined;
    this.#bundle?.begin();
    if (selfDescribed) at = head(TAG, 55799, at);
    if (!sequence && !references && this.#bundle === undefined) return this.write(value, at);
    return this.roots(value, sequence, references ? SharedValues : undefined, at);
  }

  protected override endRoot(at: number): number {
    this.#marked = 0;
    return this.#bundle?.finish(at) ?? at;
  }

  override write(value: unknown, at: number): number {
    switch (typeof value) {
      case 'string':
        return this.writeText(value, at);
      case 'number':
        return writeNumber(value, this.#numbers, at);
      case 'boolean':
        out[at] = value ? 0xf5 : 0xf4;
        return at + 1;
      case 'undefined':
        out[at] = 0xf7;
        return at + 1;
      case 'object':
        if (value === null) {
          out[at] = 0xf6;
          return at + 1;
        }
        if (this.shared !== undefined) return this.#referred(value, at);
        return this.#container(value, at);
      default:
        return this.#other(value, at);
    }
  }

  protected override writeText(text: string, at: number): number {
    return this.#isSimple ? writeString(text, at) : this.#text(text, at);
  }

  /** Writes an object that may occur several times, or a reference to it. */
  #referred(value: object, at: number): number {
    const known = this.shared!.get(value);
    if (known === undefined || this.#isReplaced(value)) return this.#container(value, at);
    if (at > soft) at = room(at, 0);
    if (known.isWritten) return head(UNSIGNED, known.id, head(TAG, 29, at));
    known.isWritten = true;
    known.id = this.#marked++;
    return this.#container(value, head(TAG, 28, at));
  }

  /** True if another value, possibly without identity, is written instead of an object. */
  #isReplaced(value: object): boolean {
    const known = this.#extensions?.find((extension) => value instanceof extension.class);
    if (known !== undefined) return known.tag === undefined;
    if (isDate(value)) return Number.isNaN(value.getTime()) && this.#options.onInvalidDate !== undefined;
    return value instanceof CborTag || value instanceof CborSimple || isBoxed(classOf(value)) || (classOf(value) !== 'URL' && this.#hasToJson(value));
  }

  #container(value: object, at: number): number {
    if (this.depth >= this.callDepth) {
      if (this.#isApart) this.fail('depth', `a Map key and embedded CBOR must not nest more than ${NESTED_CALLS} levels`);
      return this.postpone(at, this.#container.bind(this, value));
    }
    const known = this.#extensions?.find((extension) => value instanceof extension.class);
    if (known !== undefined) return this.#extension(value, known, at);
    if (Array.isArray(value)) return this.#array(value, at);
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent !== PLAIN && parent !== null) return this.#instance(value, at);
    if (!this.#isClean) return this.recordOrMap(value, at);
    if (this.records !== undefined && this.wantsRecord?.(value) !== false) return this.record(value as Record<string, unknown>, at);
    return this.#isSimple ? this.#object(value as Record<string, unknown>, at) : this.keyed(value, at);
  }

  /** Writes a value that is neither an object nor of a type that JSON has. */
  #other(value: unknown, at: number): number {
    if (typeof value === 'bigint') {
      const how = this.#options.largeBigints ?? 'bignum';
      if (how === 'bignum' || isInt64(value)) return writeBigint(value, at);
      return how === 'float' ? writeFloat(Number(value), this.#exactNumbers.floats, at) : this.#text(value.toString(), at);
    }
    const { writeFunction } = this.#options;
    if (typeof value === 'function' && writeFunction !== undefined) return this.instead(writeFunction(value), at);
    return this.fail('unsupported', `cannot encode a ${typeof value}`);
  }

  /** Writes a string, as a packed value or bundled if possible. A string that is the root value is not bundled. */
  #text(text: string, at: number): number {
    const packed = this.#packed?.get(text);
    if (packed !== undefined) return this.#packedValue(packed, at);
    if (this.#bundle === undefined || this.depth === 1 || !this.#bundle.takes(text)) return writeString(text, at);
    const wide = isWide(text);
    at = this.#bundle.add(text, wide, at);
    out[at] = wide ? 0xce : 0xcf;
    return head(UNSIGNED, text.length, at + 1);
  }

  /** Writes a reference to a packed value: see `PackedTables`. */
  #packedValue(index: number, at: number): number {
    if (index >= 16) return writeNumber(index % 2 === 0 ? (index - 16) / 2 : (15 - index) / 2, this.#exactNumbers, head(TAG, 6, at));
    out[at] = 0xe0 | index;
    return at + 1;
  }

  #array(list: readonly unknown[], at: number): number {
    this.open(list);
    const count = countOf(list);
    return this.items(list, 0, count, head(ARRAY, count, at > soft ? room(at, 0) : at));
  }

  #object(value: Record<string, unknown>, at: number): number {
    this.open(value);
    if (at > soft) at = room(at, 0);
    const start = at;
    const chunk = out;
    const offset = offsetOf(at);
    const guess = this.#guess;
    at = head(MAP, guess, at);
    let node: KeyNode = KEYS.none;
    let count = 0;
    let last = '';
    try {
      for (const key in value) {
        last = key;
        const { next } = node;
        node = next !== undefined && next.key === key ? next : KEYS.follow(node, key);
        const { words } = node;
        if (words === undefined) at = writeString(key, at);
        else {
          const target = view;
          for (let word = 0, place = at; word < words.length; word += 1, place += 4) target.setInt32(place, words[word]!, true);
          at += node.length;
        }
        count += 1;
        const item = value[key];
        // The most common type, without a further call.
        at = typeof item === 'string' ? writeString(item, at) : this.write(item, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.#stopInObject(value, key, count, guess, offset);
      }
    } catch (error) {
      throw this.at(last, error, value);
    }
    this.#guess = count;
    this.depth -= 1;
    if (count === guess) return at;
    if (chunk !== out || headSize(count) !== headSize(guess)) return replaceAt(offset, headSize(guess), Uint8Array.from(headBytes(MAP, count)), at);
    head(MAP, count, start);
    return at;
  }

  /** The slice has ended after the value of `key`: corrects the head. */
  #stopInObject(value: Record<string, unknown>, key: string, count: number, guess: number, offset: number): number {
    replaceAt(offset, headSize(guess), Uint8Array.from(headBytes(MAP, Object.keys(value).length)), STOPPED);
    return this.stoppedAt(key, value, count);
  }

  protected override keyed(value: object, at: number): number {
    const found = keysOf(value, this.#options.skipValues);
    if (found.length === 0) this.refuseSource(value);
    const keys = this.#sorted?.sort(found) ?? found;
    this.open(value);
    return this.fields(value, new FieldPlace(keys, 0, false), head(MAP, keys.length, at > soft ? room(at, 0) : at));
  }

  protected override writeKey(key: string, at: number): number {
    const number = this.#options.numericKeys === true ? integerOf(key) : undefined;
    return number === undefined ? this.#text(key, at) : writeNumber(number, this.#exactNumbers, at);
  }

  protected override recordHead(id: number, size: number, at: number): number {
    return head(ARRAY, size, head(TAG, id, at));
  }

  protected override definition(id: number, keys: readonly string[], at: number): number {
    at = head(ARRAY, keys.length + 2, head(TAG, 0xdfff, at));
    at = head(ARRAY, keys.length, head(UNSIGNED, id, at));
    for (const key of keys) at = this.#text(key, at);
    return at;
  }

  #map(map: ReadonlyMap<unknown, unknown>, at: number): number {
    this.open(map);
    if (at > soft) at = room(at, 0);
    // cbor-x would otherwise take it for a plain object, and so would others if its first key is text.
    if (this.#isCborX) at = head(TAG, 259, at);
    const place = new EntryPlace(this.#sorted === undefined ? map : this.#sortedMap(map), true);
    return this.entries(map, place, head(MAP, place.size, at));
  }

  #sortedMap(map: ReadonlyMap<unknown, unknown>): ReadonlyMap<unknown, unknown> {
    const keys = Array.from(map, ([key, value]) => ({ bytes: this.#encodeSeparately(key), value }));
    return new Map(sortKeys(keys, this.#options.deterministic === 'length-first').map(({ bytes, value }) => [new Encoded(bytes), value] as const));
  }

  /** Encodes a value separately. */
  #encodeSeparately(value: unknown): Uint8Array {
    const bundle = this.#bundle;
    const { callDepth } = this;
    const isApart = this.#isApart;
    const output = new Output();
    let at = output.enter();
    this.#bundle = undefined;
    // It cannot be postponed, and may fill the default depth limit.
    if (!isApart) this.callDepth += NESTED_CALLS;
    this.#isApart = true;
    try {
      at = this.write(value, at);
    } finally {
      this.#bundle = bundle;
      this.#isApart = isApart;
      this.callDepth = callDepth;
      output.leave(at);
    }
    return joined(output.finish());
  }

  /** Writes an instance of one of the application's classes. */
  #extension(value: object, extension: CborClass, at: number): number {
    const { tag } = extension;
    const instead = extension.encode(value);
    if (tag !== undefined) at = writeTag(tag, at);
    if (instead !== value) return this.instead(instead, at);
    return Array.isArray(value) ? this.#array(value, at) : this.recordOrMap(value, at);
  }

  /** Writes an instance of a built-in or any other class. */
  #instance(value: object, at: number): number {
    if (value instanceof Date) return this.#date(value, at);
    if (value instanceof CborTag) return this.#tagged(value, at);
    if (value instanceof CborSimple) return writeSimple(value.value, at);
    if (value instanceof Encoded) return writeBytes(value.bytes, at);
    const name = classOf(value);
    if (ArrayBuffer.isView(value)) return writeBinary(value, name, at);
    switch (name) {
      case 'Date':
        return this.#date(value as Date, at);
      case 'Map':
        return this.#map(value as Map<unknown, unknown>, at);
      case 'Set':
        return this.#set(value as Set<unknown>, at);
      case 'ArrayBuffer':
      case 'SharedArrayBuffer':
        return writeBinary(value as ArrayBuffer, name, at);
      case 'Error':
      case 'DOMException':
        return this.#error(value as Error, at);
      case 'RegExp':
        return this.#regExp(value as RegExp, at);
      case 'URL':
        return writeString(textOf(value, 'href'), head(TAG, 32, at > soft ? room(at, 0) : at));
      default:
        if (isOpaque(name)) this.fail('unsupported', opaqueReason(name));
        if (isBoxed(name)) return this.instead(value.valueOf(), at);
        if (!this.#hasToJson(value)) return this.recordOrMap(value, at);
    }
    const instead = value.toJSON('');
    return instead === value ? this.recordOrMap(value, at) : this.instead(instead, at);
  }

  #hasToJson(value: object): value is HasToJson {
    return this.#options.toJSON !== false && hasToJson(value);
  }

  #tagged({ tag, value }: CborTag, at: number): number {
    at = writeTag(tag, at);
    if (Number(tag) !== EMBEDDED || isUint8Array(value)) return this.instead(value, at);
    const bytes = this.#encodeSeparately(value);
    return writeBytes(bytes, head(BYTES, bytes.length, at));
  }

  #date(date: Date, at: number): number {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) {
      const { onInvalidDate } = this.#options;
      if (onInvalidDate !== undefined) return this.instead(onInvalidDate(date), at);
    } else if (this.#options.dates === 'text') {
      const text = date.toISOString();
      if (text.length !== RFC_3339) this.fail('range', 'a Date whose year has not four digits');
      return writeString(text, head(TAG, 0, at));
    }
    return writeSeconds(milliseconds / 1000, this.#exactNumbers, this.#sorted !== undefined, head(TAG, 1, at));
  }

  #set(set: ReadonlySet<unknown>, at: number): number {
    this.open(set);
    if (at > soft) at = room(at, 0);
    return this.entries(set, new EntryPlace(set, false), head(ARRAY, set.size, head(TAG, 258, at)));
  }

  #regExp(value: RegExp, at: number): number {
    const [source, flags] = [textOf(value, 'source'), textOf(value, 'flags')];
    if (at > soft) at = room(at, 0);
    if (this.#isCborX) at = this.#text('RegExp', head(ARRAY, 3, head(TAG, 27, at)));
    else at = head(ARRAY, 2, head(TAG, 21066, at));
    return this.#text(flags, this.#text(source, at));
  }

  #error(error: Error, at: number): number {
    if (!this.#isCborX) this.fail('unsupported', 'cannot encode an Error');
    const { name, message, cause } = errorParts(error);
    this.open(error);
    if (at > soft) at = room(at, 0);
    at = head(ARRAY, cause === undefined ? 2 : 3, head(TAG, 27, at));
    at = this.#text(message, this.#text(name, at));
    if (cause === undefined) return this.closed(at);
    try {
      at = this.write(cause, at);
    } catch (thrown) {
      throw this.at('cause', thrown, error);
    }
    return this.closed(at);
  }
}

/** The tag of embedded CBOR (RFC 8949 section 3.4.5.1). */
const EMBEDDED = 24;
/** Characters of `2000-01-01T00:00:00.000Z`. */
const RFC_3339 = 24;

/** Writes CBOR: see `CborWriter`. */
const cborEncoder: FormatWriter<CborWriteOptions> = {
  id: 'cbor',
  createWriter: (options, limits) => new CborWriter(options, limits),
};

export default cborEncoder;
