import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view } from '../../../bytes/output.ts';
import { writeBytes } from '../../../writing/binary-values.ts';
import { countOf } from '../../../bytes/count.ts';
import type { Limits } from '../../../limits.ts';
import { classOf, isDate, isUint8Array } from '../../../values/class-of.ts';
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
} from '../../../writing/written-classes.ts';
import { type KeyNode, KeyNodes } from '../../../writing/key-nodes.ts';
import { EntryPlace, FieldPlace } from '../../../writing/resume-points.ts';
import type { RecordIds } from '../../../writing/record-ids.ts';
import { RecordWriter } from '../../../writing/record-writer.ts';
import type { SharedValues } from '../../../writing/shared-values.ts';
import { isWide, type StringBundle } from '../../../writing/string-bundle.ts';
import { arrayHead, extensionHead, mapHead, mapHeadBytes, mapHeadSize, shortHead, wideMapHead } from './heads.ts';
import type { MessagePackClass, MessagePackWriteOptions } from '../options.ts';
import { MessagePackExtension } from '../revive.ts';
import { type NumberSetting, writeDouble, writeNumber } from './numbers.ts';
import { writeString } from './strings.ts';
import { TOO_LARGE, writeBigint, writeBinary, writeLargeBigint, writeTimestamp } from './values.ts';

const PLAIN = Object.prototype;
/**
 * Types whose fixext forms msgpackr uses. In ext 8 form, the same data is read back as an extension of the application.
 */
const MSGPACKR_TYPES = [0x00, 0x65, 0x69, 0x70, 0x72, 0x73, 0x78];
const KEYS = new KeyNodes((bytes) => (bytes < 32 ? [0xa0 | bytes] : bytes < 0x100 ? [0xd9, bytes] : [0xda, bytes >> 8, bytes & 0xff]));

/** Code for the options `records`, `bundleStrings` and `references`. */
export interface RareValues {
  records(options: MessagePackWriteOptions): RecordIds;
  bundle(): StringBundle;
  readonly SharedValues: new (root: unknown) => SharedValues;
}

/** True if writing with these options needs `RareValues`. */
export function needsRareValues({ records = false, bundleStrings = false, references = false }: MessagePackWriteOptions): boolean {
  return records !== false || bundleStrings || references;
}

/**
 * Writes MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) with the extensions of msgpackr 2. `rare`
 * is undefined in the core build.
 */
export class CoreWriter extends RecordWriter {
  readonly #options: MessagePackWriteOptions;
  readonly #isMsgpackr: boolean;
  readonly #extensions: readonly MessagePackClass[] | undefined;
  protected override readonly records: RecordIds | undefined;
  protected override readonly wantsRecord: ((value: object) => boolean) | undefined;
  readonly #bundle: StringBundle | undefined;
  readonly #rare: RareValues | undefined;
  readonly #numbers: NumberSetting;
  /** Nothing is omitted from maps and no offset after their heads is stored, so the heads may be corrected. */
  readonly #isSimple: boolean;
  /** `for … in` finds only own keys in plain objects. */
  #isClean = true;
  /** How many keys the last object had: the guess for the next. */
  #guess = 0;

  constructor(options: MessagePackWriteOptions, limits: Limits, rare?: RareValues) {
    const wraps = options.sequence === true || options.references === true || options.bundleStrings === true;
    // The wrapper around root values counts as an open container.
    super(wraps ? { ...limits, depth: limits.depth + 1 } : limits);
    const { records = false } = options;
    this.#options = options;
    this.#rare = rare;
    this.#isMsgpackr = options.msgpackr !== false;
    this.#extensions = options.extensions;
    this.records = records === false ? undefined : rare!.records(options);
    this.wantsRecord = typeof records === 'function' ? records : undefined;
    this.#bundle = options.bundleStrings === true ? rare!.bundle() : undefined;
    const isForMsgpackr = records !== false || options.references === true || this.#bundle !== undefined;
    this.#numbers = {
      float32: options.float32 === 'never' ? undefined : options.float32,
      floatsForInt64: (options.int64 ?? (isForMsgpackr ? 'float' : 'integer')) === 'float',
      lastFixint: records === false ? 0x7f : 0x3f,
    };
    this.#isSimple = this.#bundle === undefined && options.skipValues === undefined && options.numericKeys !== true && options.mapSize !== 'uint16';
  }

  override get pinned(): number {
    return this.#bundle?.pinned ?? Infinity;
  }

  protected override writeRoot(value: unknown, at: number): number {
    const { sequence = false, references = false } = this.#options;
    this.#isClean = !objectsInheritKeys();
    this.shared = undefined;
    this.#bundle?.begin();
    if (!sequence && !references && this.#bundle === undefined) return this.write(value, at);
    return this.roots(value, sequence, references ? this.#rare!.SharedValues : undefined, at);
  }

  protected override endRoot(at: number): number {
    return this.#bundle?.finish(at) ?? at;
  }

  override write(value: unknown, at: number): number {
    switch (typeof value) {
      case 'string':
        return this.writeText(value, at);
      case 'number':
        return writeNumber(value, this.#numbers, at);
      case 'boolean':
        out[at] = value ? 0xc3 : 0xc2;
        return at + 1;
      case 'object':
        if (value === null) {
          out[at] = 0xc0;
          return at + 1;
        }
        if (this.shared !== undefined) return this.#referred(value, at);
        return this.#container(value, at);
      default:
        return this.#other(value, at);
    }
  }

  protected override writeText(text: string, at: number): number {
    return this.#bundle === undefined ? writeString(text, at) : this.#text(text, at);
  }

  /** Writes an object that may occur several times, or a reference to it. */
  #referred(value: object, at: number): number {
    const known = this.shared!.get(value);
    if (known === undefined || this.#isReplaced(value)) return this.#container(value, at);
    at = extensionHead(4, known.isWritten ? 0x70 : 0x69, at > soft ? room(at, 0) : at);
    view.setUint32(at, known.id);
    if (known.isWritten) return at + 4;
    known.isWritten = true;
    return this.#container(value, at + 4);
  }

  /** True if another value, possibly without identity, is written instead of an object. */
  #isReplaced(value: object): boolean {
    const known = this.#extensions?.find((extension) => value instanceof extension.class);
    if (known !== undefined) return known.type === undefined;
    if (isDate(value)) return Number.isNaN(value.getTime()) && this.#options.onInvalidDate !== undefined;
    return isBoxed(classOf(value)) || this.#hasToJson(value);
  }

  #container(value: object, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#container.bind(this, value));
    const known = this.#extensions?.find((extension) => value instanceof extension.class);
    if (known !== undefined) return this.#extension(value, known, at);
    if (Array.isArray(value)) return this.#array(value, at);
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent !== PLAIN && parent !== null) return this.#instance(value, at);
    if (!this.#isClean) return this.recordOrMap(value, at);
    if (this.records !== undefined && this.wantsRecord?.(value) !== false) return this.record(value as Record<string, unknown>, at);
    return this.#isSimple ? this.#object(value as Record<string, unknown>, at) : this.keyed(value, at);
  }

  #bigint(value: bigint, at: number): number {
    const end = writeBigint(value, at);
    if (end !== TOO_LARGE) return end;
    const how = this.#options.largeBigints ?? 'extension';
    if (how === 'float') return writeDouble(Number(value), at);
    if (how === 'text') return this.#text(value.toString(), at);
    if (!this.#isMsgpackr) this.fail('range', 'the bigint does not fit 64 bits');
    return writeLargeBigint(value, at);
  }

  /** Writes a value that is neither an object nor of a type that JSON has. */
  #other(value: unknown, at: number): number {
    if (typeof value === 'bigint') return this.#bigint(value, at);
    if (value === undefined) {
      if (this.#options.undefined === 'nil') {
        out[at] = 0xc0;
        return at + 1;
      }
      if (!this.#isMsgpackr) this.fail('unsupported', 'undefined');
      return this.#marker(0, at);
    }
    const { writeFunction } = this.#options;
    if (typeof value === 'function' && writeFunction !== undefined) return this.instead(writeFunction(value), at);
    return this.fail('unsupported', `cannot encode a ${typeof value}`);
  }

  /** Writes a fixext 1 of a type, with the byte 0: its content, if any, is the value that follows. */
  #marker(type: number, at: number): number {
    if (at > soft) at = room(at, 0);
    view.setUint16(at, 0xd400 | (type & 0xff));
    out[at + 2] = 0;
    return at + 3;
  }

  /** Writes a string, bundled if possible. A string that is the root value is not bundled. */
  #text(text: string, at: number): number {
    if (this.#bundle === undefined || this.depth === 1 || !this.#bundle.takes(text)) return writeString(text, at);
    const wide = isWide(text);
    at = this.#bundle.add(text, wide, at);
    out[at] = 0xc1;
    return writeNumber(wide ? -text.length : text.length, this.#numbers, at + 1);
  }

  #array(list: readonly unknown[], at: number): number {
    this.open(list);
    const count = countOf(list);
    return this.items(list, 0, count, arrayHead(count, at > soft ? room(at, 0) : at));
  }

  #object(value: Record<string, unknown>, at: number): number {
    this.open(value);
    if (at > soft) at = room(at, 0);
    const head = at;
    const chunk = out;
    const offset = offsetOf(at);
    const guess = this.#guess;
    at = mapHead(guess, at);
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
    if (chunk !== out || mapHeadSize(count) !== mapHeadSize(guess)) return replaceAt(offset, mapHeadSize(guess), mapHeadBytes(count), at);
    mapHead(count, head);
    return at;
  }

  /** The slice has ended after the value of `key`: corrects the head. */
  #stopInObject(value: Record<string, unknown>, key: string, count: number, guess: number, offset: number): number {
    replaceAt(offset, mapHeadSize(guess), mapHeadBytes(Object.keys(value).length), STOPPED);
    return this.stoppedAt(key, value, count);
  }

  protected override keyed(value: object, at: number): number {
    const { skipValues, mapSize } = this.#options;
    const keys = keysOf(value, skipValues);
    if (keys.length === 0) this.refuseSource(value);
    this.open(value);
    if (at > soft) at = room(at, 0);
    at = mapSize === 'uint16' ? wideMapHead(keys.length, at) : mapHead(keys.length, at);
    return this.fields(value, new FieldPlace(keys, 0, false), at);
  }

  protected override writeKey(key: string, at: number): number {
    if (this.#options.numericKeys === true) {
      const number = Number(key);
      if (Number.isSafeInteger(number) && String(number) === key) return writeNumber(number, this.#numbers, at);
    }
    return this.#text(key, at);
  }

  protected override recordHead(id: number, _size: number, at: number): number {
    if (id < 0x80) {
      out[at] = id;
      return at + 1;
    }
    view.setUint16(at, id);
    return at + 2;
  }

  protected override definition(id: number, keys: readonly string[], at: number): number {
    at = this.recordHead(id, 0, extensionHead(id < 0x80 ? 1 : 2, 0x72, at));
    at = arrayHead(keys.length, at);
    for (const key of keys) at = this.#text(key, at);
    return at;
  }

  #entriesOf(value: ReadonlySet<unknown> | ReadonlyMap<unknown, unknown>, isMap: boolean, at: number): number {
    this.open(value);
    if (at > soft) at = room(at, 0);
    const place = new EntryPlace(value, isMap);
    return this.entries(value, place, isMap ? mapHead(place.size, at) : arrayHead(place.size, at));
  }

  /** Writes an instance of one of the application's classes. */
  #extension(value: object, extension: MessagePackClass, at: number): number {
    const { type } = extension;
    if (at > soft) at = room(at, 0);
    if (extension.pack !== undefined) {
      const bytes = extension.pack(value);
      return writeBytes(bytes, extensionHead(bytes.length, type!, at));
    }
    const instead = extension.write!(value);
    if (type !== undefined) at = this.#marker(type, at);
    if (instead !== value) return this.instead(instead, at);
    return Array.isArray(value) ? this.#array(value, at) : this.recordOrMap(value, at);
  }

  /** Writes an instance of a built-in or any other class. */
  #instance(value: object, at: number): number {
    if (value instanceof Date) return this.#date(value, at);
    if (value instanceof MessagePackExtension) return this.#unknownExtension(value, at);
    const name = classOf(value);
    if (ArrayBuffer.isView(value)) return writeBinary(value, name, this.#isMsgpackr, at);
    switch (name) {
      case 'Date':
        return this.#date(value as Date, at);
      case 'Map':
        return this.#entriesOf(value as Map<unknown, unknown>, true, at);
      case 'Set':
        if (!this.#isMsgpackr) this.fail('unsupported', 'a Set');
        return this.#entriesOf(value as Set<unknown>, false, this.#marker(0x73, at));
      case 'ArrayBuffer':
      case 'SharedArrayBuffer':
        return writeBinary(value as ArrayBuffer, name, this.#isMsgpackr, at);
      case 'Error':
      case 'DOMException':
        return this.#error(value as Error, at);
      case 'RegExp':
        return this.#regExp(value as RegExp, at);
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

  #date(date: Date, at: number): number {
    const milliseconds = date.getTime();
    if (!Number.isNaN(milliseconds)) {
      return writeTimestamp(this.#options.timestamps === 'seconds' ? Math.floor(milliseconds / 1000) * 1000 : milliseconds, at);
    }
    const { onInvalidDate } = this.#options;
    if (onInvalidDate !== undefined) return this.instead(onInvalidDate(date), at);
    if (!this.#isMsgpackr) this.fail('range', 'an invalid Date');
    // msgpackr reads a one-byte timestamp as an invalid Date.
    at = this.#marker(-1, at);
    out[at - 1] = 0xff;
    return at;
  }

  #regExp(value: RegExp, at: number): number {
    if (!this.#isMsgpackr) this.fail('unsupported', 'cannot encode a RegExp');
    const [source, flags] = [textOf(value, 'source'), textOf(value, 'flags')];
    return this.#text(flags, this.#text(source, arrayHead(2, this.#marker(0x78, at))));
  }

  #error(error: Error, at: number): number {
    if (!this.#isMsgpackr) this.fail('unsupported', 'cannot encode an Error');
    const { name, message, cause } = errorParts(error);
    this.open(error);
    at = this.#text(message, this.#text(name, arrayHead(3, this.#marker(0x65, at))));
    try {
      at = this.write(cause, at);
    } catch (thrown) {
      throw this.at('cause', thrown, error);
    }
    return this.closed(at);
  }

  #unknownExtension({ type, data }: MessagePackExtension, at: number): number {
    if (!isUint8Array(data)) return this.instead(data, this.#marker(type, at));
    const start = at > soft ? room(at, 0) : at;
    const { length } = data;
    return writeBytes(data, MSGPACKR_TYPES.includes(type) && length < 0x100 ? shortHead(length, type, start) : extensionHead(length, type, start));
  }
}
