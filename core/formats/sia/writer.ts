import { isRecordList, RECORDS } from '../../values/record-list.ts';
import { countOf } from '../../bytes/count.ts';
import { out, pass, room, soft, STOPPED, view } from '../../bytes/output.ts';
import type { Limits } from '../../limits.ts';
import { classOf } from '../../values/class-of.ts';
import { bytesOf, isBoxed, isOpaque, opaqueReason, objectsInheritKeys } from '../../writing/written-classes.ts';
import { EntryPlace, FieldPlace } from '../../writing/resume-points.ts';
import { TreeWriter } from '../../writing/tree-writer.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import type { SiaClass, SiaWriteOptions } from './options.ts';
import { SiaConstructed } from './revive.ts';
import { DATE64, FALSE, MAP_END, MAP_START, NULL, OBJECT_END, OBJECT_START, SET_END, SET_START, TRUE, UNDEFINED } from './types.ts';
import { KeyNumbers } from './write/keys.ts';
import { arrayHead, constructorHead, writeBigint, writeBinary, writeNumber, writeReference, writeString } from './write/values.ts';

export type { SiaClass, SiaWriteOptions } from './options.ts';

const PLAIN = Object.prototype;
/** The codes of the package's built-in constructors. */
const REGEXP_CODE = 0;
const DATE_CODE = 1;

/** Writes Sia (https://github.com/pouya-eghbali/sia) as read by version 1 of the sializer package. */
class SiaWriter extends TreeWriter {
  readonly #constructors: readonly SiaClass[] | undefined;
  readonly #hasBuiltins: boolean;
  readonly #writesInt64: boolean;
  readonly #isSequence: boolean;
  readonly #keys = new KeyNumbers();
  /** `for … in` finds only own keys in plain objects. */
  #isClean = true;

  constructor(options: SiaWriteOptions, limits: Limits) {
    super(options.sequence === true ? { ...limits, depth: limits.depth + 1 } : limits);
    this.#constructors = options.constructors;
    this.#hasBuiltins = options.builtins !== false;
    this.#writesInt64 = options.int64 === 'integer';
    this.#isSequence = options.sequence === true;
  }

  protected override writeRoot(value: unknown, at: number): number {
    this.#isClean = !objectsInheritKeys();
    this.#keys.begin();
    return this.#isSequence ? this.roots(value, true, undefined, at) : this.write(value, at);
  }

  protected override endRoot(at: number): number {
    this.#keys.begin();
    return at;
  }

  override write(value: unknown, at: number): number {
    switch (typeof value) {
      case 'string':
        return writeString(value, at);
      case 'number':
        return writeNumber(value, this.#writesInt64, at);
      case 'boolean':
        out[at] = value ? TRUE : FALSE;
        return at + 1;
      case 'undefined':
        out[at] = UNDEFINED;
        return at + 1;
      case 'bigint':
        return writeBigint(value, at);
      case 'object':
        if (value === null) {
          out[at] = NULL;
          return at + 1;
        }
        return this.#container(value, at);
      default:
        return this.fail('unsupported', `cannot encode a ${typeof value}`);
    }
  }

  #container(value: object, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#container.bind(this, value));
    const known = this.#constructors?.find((entry) => value instanceof entry.class);
    if (known !== undefined) return this.#constructed(known.code, known.args(value), at);
    if (Array.isArray(value)) return this.#array(value, at);
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent !== PLAIN && parent !== null) return this.#instance(value, at);
    return this.#isClean ? this.#object(value as Record<string, unknown>, at) : this.#keyed(value, at);
  }

  #array(list: readonly unknown[], at: number): number {
    this.open(list);
    const count = countOf(list);
    return this.items(list, 0, count, arrayHead(count, at > soft ? room(at, 0) : at));
  }

  #object(value: Record<string, unknown>, at: number): number {
    this.open(value);
    if (at > soft) at = room(at, 0);
    out[at++] = OBJECT_START;
    const keys = this.#keys;
    const { epoch } = keys;
    let node = keys.none;
    let count = 0;
    let last = '';
    try {
      for (const key in value) {
        last = key;
        count += 1;
        const { next } = node;
        node = next !== undefined && next.key === key ? next : keys.follow(node, key);
        const { number } = node;
        if (number.epoch === epoch) at = writeReference(number.number, at);
        else {
          keys.give(number);
          at = writeString(key, at);
        }
        const item = value[key];
        // The most common type, without a further call.
        at = typeof item === 'string' ? writeString(item, at) : this.write(item, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.stoppedAt(key, value, count);
      }
    } catch (error) {
      throw this.at(last, error, value);
    }
    return this.closedFields(at);
  }

  /** Writes an object's own keys. */
  #keyed(value: object, at: number): number {
    const keys = Object.keys(value);
    if (keys.length === 0) this.refuseSource(value);
    this.open(value);
    if (at > soft) at = room(at, 0);
    out[at] = OBJECT_START;
    return this.fields(value, new FieldPlace(keys, 0, false), at + 1);
  }

  protected override writeKey(key: string, at: number): number {
    const number = this.#keys.find(key);
    if (number.epoch === this.#keys.epoch) return writeReference(number.number, at);
    this.#keys.give(number);
    return writeString(key, at);
  }

  protected override closedFields(at: number): number {
    out[at] = OBJECT_END;
    return this.closed(at + 1);
  }

  #entriesOf(value: ReadonlySet<unknown> | ReadonlyMap<unknown, unknown>, isMap: boolean, at: number): number {
    this.open(value);
    if (at > soft) at = room(at, 0);
    out[at] = isMap ? MAP_START : SET_START;
    return this.entries(value, new EntryPlace(value, isMap), at + 1);
  }

  protected override closedEntries(isMap: boolean, at: number): number {
    out[at] = isMap ? MAP_END : SET_END;
    return this.closed(at + 1);
  }

  /** Writes a constructor, with its arguments as an array. */
  #constructed(code: number, args: readonly unknown[], at: number): number {
    return this.instead(args, constructorHead(code, at));
  }

  /** Writes an instance of a built-in or any other class. */
  #instance(value: object, at: number): number {
    if (value instanceof Date) return this.#date(value, at);
    if (value instanceof SiaConstructed) return this.#constructed(value.code, value.args, at);
    const name = classOf(value);
    switch (name) {
      case 'Date':
        return this.#date(value as Date, at);
      case 'Map':
        return this.#entriesOf(value as Map<unknown, unknown>, true, at);
      case 'Set':
        return this.#entriesOf(value as Set<unknown>, false, at);
      case 'RegExp':
        if (!this.#hasBuiltins) this.fail('unsupported', 'cannot encode a RegExp');
        return this.#constructed(REGEXP_CODE, [(value as RegExp).source, (value as RegExp).flags], at);
      case 'Uint8Array':
      case 'Uint8ClampedArray':
      case 'DataView':
      case 'ArrayBuffer':
      case 'SharedArrayBuffer':
        return writeBinary(bytesOf(value as ArrayBuffer), at);
      default:
        if (isOpaque(name)) this.fail('unsupported', opaqueReason(name));
        if (ArrayBuffer.isView(value) || /^(?:Error|DOMException|URL)$/.test(name)) this.fail('unsupported', `cannot encode a ${name}`);
        if (isRecordList(value)) return this.instead(value[RECORDS](0, value.length), at);
        return isBoxed(name) ? this.instead(value.valueOf(), at) : this.#keyed(value, at);
    }
  }

  #date(date: Date, at: number): number {
    const milliseconds = date.getTime();
    if (this.#hasBuiltins) return writeNumber(milliseconds, this.#writesInt64, arrayHead(1, constructorHead(DATE_CODE, at)));
    if (!(milliseconds >= 0)) this.fail('range', 'a Date before 1970, or an invalid one');
    out[at] = DATE64;
    view.setBigUint64(at + 1, BigInt(milliseconds), true);
    return at + 9;
  }
}

/** Writes Sia: see `SiaWriter`. */
const siaEncoder: FormatWriter<SiaWriteOptions> = {
  id: 'sia',
  createWriter: (options, limits) => new SiaWriter(options, limits),
};

export default siaEncoder;
