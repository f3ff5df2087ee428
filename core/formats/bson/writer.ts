import { countOf } from '../../bytes/count.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view } from '../../bytes/output.ts';
import { isRecordList, RECORDS } from '../../values/record-list.ts';
import type { Limits } from '../../limits.ts';
import { classOf, isMap } from '../../values/class-of.ts';
import { isBoxed, isOpaque, opaqueReason, objectsInheritKeys, textOf } from '../../writing/written-classes.ts';
import { type KeyNode, KeyNodes } from '../../writing/key-nodes.ts';
import { type FormatWriter, Writer } from '../../writing/writer.ts';
import type { BsonWriteOptions } from './options.ts';
import { BsonValue } from './revive.ts';
import { ARRAY, BINARY, BOOLEAN, CODE, CODE_WITH_SCOPE, DATE, DOCUMENT, DOUBLE, INT32, INT64, NULL, REGEXP, STRING, UNDEFINED } from './types.ts';
import { fromClass, fromExtended, isClass } from './write/extended.ts';
import { SCALAR_WRITERS } from './write/scalars.ts';
import { regExpOptions, writeBigint, writeDigits, writeInt64, writeName, writeString, writeView } from './write/values.ts';

export type { BsonWriteOptions } from './options.ts';

/**
 * Where to resume in a document, an array, a code with its scope, or a list of documents. `offset` is that of its
 * length.
 */
interface StopPlace {
  readonly kind: 'object' | 'array' | 'scope' | 'sequence';
  readonly next: number;
  readonly offset: number;
  readonly keys: readonly string[];
  /** How many items an array has. */
  readonly count: number;
}

/** Keys of a place outside documents. */
const NO_KEYS: readonly string[] = [];
const PLAIN = Object.prototype;
/** A byte for the element's type precedes each key. */
const KEYS = new KeyNodes(() => [0], [0]);
const MAX_BYTES = 2 ** 31 - 1;

/**
 * Writes BSON 1.1 (https://bsonspec.org/spec.html). A document is emitted once it is complete, since it begins with its
 * length.
 */
class BsonWriter extends Writer {
  readonly #undefined: 'undefined' | 'null' | 'skip';
  readonly #isExtended: boolean;
  readonly #longIntegers: boolean;
  readonly #s: string;
  readonly #isSequence: boolean;
  /** The offset of the open document; Infinity between documents. */
  #pinned = Infinity;
  /** `for … in` finds only own keys in plain objects. */
  #isClean = true;

  constructor(options: BsonWriteOptions, limits: Limits) {
    super(options.sequence === true ? { ...limits, depth: limits.depth + 1 } : limits);
    this.#undefined = options.undefined ?? 'undefined';
    this.#isExtended = options.types === 'relaxed' || options.types === 'canonical';
    this.#longIntegers = options.int64 === 'integer' || this.#isExtended;
    this.#s = options.regExpS === 'dotAll' ? 's' : 'g';
    this.#isSequence = options.sequence === true;
  }

  override get pinned(): number {
    return this.#pinned;
  }

  protected override writeRoot(value: unknown, at: number): number {
    this.#isClean = !objectsInheritKeys();
    if (!this.#isSequence) return this.write(value, at);
    if (!Array.isArray(value)) return this.fail('type', 'a sequence must be an array');
    this.depth = 1;
    return this.#documents(value, 0, value.length, at);
  }

  /** Writes a document, which must be an object. */
  override write(value: unknown, at: number): number {
    const isDocument = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
    if (!isDocument) return this.fail('type', `a document must be an object`);
    if (at > soft) at = room(at, 0);
    this.#pinned = offsetOf(at);
    // Written like an element that is a document, without a type.
    const end = this.#container(value, at, at);
    if (end !== STOPPED) this.#pinned = Infinity;
    return end;
  }

  #documents(list: readonly unknown[], from: number, count: number, at: number): number {
    let index = from;
    try {
      for (; index < count; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, place('sequence', index, 0, NO_KEYS, count));
        if ((at = this.write(list[index], at)) === STOPPED) return this.stopped(list, place('sequence', index + 1, 0, NO_KEYS, count));
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== count) this.fail('changed', 'the list changed while it was written');
    return at;
  }

  protected override resumeIn(container: object, from: unknown, at: number): number {
    const { kind, next, offset, keys, count } = from as StopPlace;
    if (kind === 'object') return this.#rest(container, keys, next, offset, at);
    if (kind === 'array') return this.#items(container as unknown[], next, count, offset, at);
    if (kind === 'scope') return this.#closeCode(offset, at);
    this.#pinned = Infinity;
    return this.#documents(container as unknown[], next, count, at);
  }

  protected override stepOf(from: unknown): string | number | undefined {
    const { kind, next, keys } = from as StopPlace;
    return kind === 'scope' ? '$scope' : kind === 'object' ? keys[next - 1] : next - 1;
  }

  /** Writes a value after its key. Its type goes to `typeAt`, before the key. */
  #element(value: unknown, typeAt: number, at: number): number {
    switch (typeof value) {
      case 'string':
        out[typeAt] = STRING;
        return writeString(value, at);
      case 'number':
        return this.#number(value, typeAt, at);
      case 'boolean':
        out[typeAt] = BOOLEAN;
        out[at] = value ? 1 : 0;
        return at + 1;
      case 'object':
        if (value === null) {
          out[typeAt] = NULL;
          return at;
        }
        return Array.isArray(value) ? this.#array(value, typeAt, at) : this.#container(value, typeAt, at);
      case 'bigint':
        out[typeAt] = INT64;
        return writeBigint(value, at);
      case 'undefined':
        if (this.#undefined === 'skip') return typeAt;
        out[typeAt] = this.#undefined === 'null' ? NULL : UNDEFINED;
        return at;
      default:
        return this.fail('unsupported', `cannot encode a ${typeof value}`);
    }
  }

  #number(value: number, typeAt: number, at: number): number {
    if ((value | 0) === value && !Object.is(value, -0)) {
      out[typeAt] = INT32;
      view.setInt32(at, value, true);
      return at + 4;
    }
    if (this.#longIntegers && Number.isSafeInteger(value) && value !== 0) {
      out[typeAt] = INT64;
      return writeInt64(value, at);
    }
    out[typeAt] = DOUBLE;
    view.setFloat64(at, value, true);
    return at + 8;
  }

  /** Writes an object other than an array. `typeAt` is `at` for the root value, which must be a document. */
  #container(value: object, typeAt: number, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#container.bind(this, value, typeAt));
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent === Map.prototype && !('toBSON' in value)) return this.#map(value as Map<unknown, unknown>, typeAt, at);
    if (parent !== PLAIN && parent !== null) return this.#instance(value, typeAt, at);
    if (this.#isExtended) {
      const special = fromExtended(value as Record<string, unknown>);
      if (special !== null) return this.#special(special, typeAt, at);
    }
    return this.#isClean ? this.#object(value as Record<string, unknown>, typeAt, at) : this.#document(value, typeAt, at);
  }

  #special(value: BsonValue | Date | undefined, typeAt: number, at: number): number {
    if (typeAt === at) return this.fail('type', 'a document must be an object with keys');
    if (value === undefined) {
      out[typeAt] = UNDEFINED;
      return at;
    }
    return value instanceof Date ? this.#date(value, typeAt, at) : this.#bsonValue(value, typeAt, at);
  }

  #object(value: Record<string, unknown>, typeAt: number, at: number): number {
    this.open(value);
    if (typeAt !== at) out[typeAt] = DOCUMENT;
    if (at > soft) at = room(at, 0);
    const start = at;
    const chunk = out;
    const offset = offsetOf(at);
    at += 4;
    let node: KeyNode = KEYS.none;
    let last = '';
    let count = 0;
    try {
      for (const key in value) {
        last = key;
        count += 1;
        const { next } = node;
        node = next !== undefined && next.key === key ? next : KEYS.follow(node, key);
        const { words } = node;
        if (words === undefined) {
          at = this.#keyRoom(key, at);
          at = this.#element(value[key], at, writeName(key, at + 1));
        } else {
          const target = view;
          for (let word = 0, to = at; word < words.length; word += 1, to += 4) target.setInt32(to, words[word]!, true);
          at = this.#element(value[key], at, at + node.length);
        }
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.#stop(value, key, count, offset);
      }
    } catch (error) {
      throw this.at(last, error, value);
    }
    out[at] = 0;
    this.depth -= 1;
    if (chunk !== out) return this.#patch(offset, at + 1);
    view.setInt32(start, at + 1 - start, true);
    return at + 1;
  }

  /** Makes room for a type and a key that is not remembered, in one chunk. */
  #keyRoom(key: string, at: number): number {
    return at + 1 + 3 * key.length > soft ? room(at, 1 + 3 * key.length) : at;
  }

  #stop(value: object, key: string, count: number, offset: number): number {
    const keys = Object.keys(value);
    if (keys[count - 1] !== key) this.fail('changed', 'an object that changes while it is written');
    return this.stopped(value, place('object', count, offset, keys, 0));
  }

  /** Writes a document of an object's own keys. */
  #document(value: object, typeAt: number, at: number): number {
    this.open(value);
    if (typeAt !== at) out[typeAt] = DOCUMENT;
    if (at > soft) at = room(at, 0);
    const keys = Object.keys(value);
    if (keys.length === 0) this.refuseSource(value);
    return this.#rest(value, keys, 0, offsetOf(at), at + 4);
  }

  /** Writes the remaining fields of a document, its end and its length. */
  #rest(value: object, keys: readonly string[], from: number, offset: number, at: number): number {
    const map = isMap(value) ? value : undefined;
    let next = from;
    try {
      for (; next < keys.length; next += 1) {
        const key = keys[next]!;
        const item = map ? map.get(key) : (value as Record<string, unknown>)[key];
        if (item === undefined && !hasKey(value, key)) this.fail('changed', 'a key that is gone');
        at = this.#keyRoom(key, at);
        at = this.#element(item, at, writeName(key, at + 1));
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.stopped(value, place('object', next + 1, offset, keys, 0));
      }
    } catch (error) {
      throw this.at(keys[next], error, value);
    }
    return this.#end(offset, at);
  }

  #array(list: readonly unknown[], typeAt: number, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#array.bind(this, list, typeAt));
    this.open(list);
    out[typeAt] = ARRAY;
    if (at > soft) at = room(at, 0);
    return this.#items(list, 0, countOf(list), offsetOf(at), at + 4);
  }

  /** Writes the remaining items of an array, its end and its length. Keys are the decimal digits of their indices. */
  #items(list: readonly unknown[], from: number, count: number, offset: number, at: number): number {
    let index = from;
    try {
      for (; index < count; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, place('array', index, offset, NO_KEYS, count));
        let to = at + 1;
        if (index < 10) out[to++] = 0x30 + index;
        else to = writeDigits(index, to);
        out[to] = 0;
        const item = list[index];
        at = this.#element(item === undefined && this.#undefined === 'skip' ? null : item, at, to + 1);
        if (at === STOPPED) return this.stopped(list, place('array', index + 1, offset, NO_KEYS, count));
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== count) this.fail('changed', 'the list changed while it was written');
    return this.#end(offset, at);
  }

  #end(offset: number, at: number): number {
    out[at] = 0;
    this.depth -= 1;
    return this.#patch(offset, at + 1);
  }

  /** Writes the length of a document at the offset where it begins; it ends at `at`. */
  #patch(offset: number, at: number): number {
    const length = offsetOf(at) - offset;
    if (length > MAX_BYTES) this.fail('range', `the document has ${length} bytes, more than BSON allows`);
    return replaceAt(offset, 4, Uint8Array.of(length, length >> 8, length >> 16, length >> 24), at);
  }

  /** Writes an instance of a built-in class, of the bson package's or any other class. */
  #instance(value: object, typeAt: number, at: number): number {
    if (value instanceof BsonValue) return this.#special(value, typeAt, at);
    if (isClass(value)) {
      const known = fromClass(value);
      return known instanceof BsonValue ? this.#special(known, typeAt, at) : this.#document(known, typeAt, at);
    }
    const { toBSON } = value as { toBSON?: unknown };
    if (typeof toBSON === 'function') return this.#instead(toBSON.call(value), value, typeAt, at);
    if (ArrayBuffer.isView(value)) return this.#binary(value, typeAt, at);
    const name = classOf(value);
    if (name === 'Map') return this.#map(value as Map<unknown, unknown>, typeAt, at);
    if (typeAt === at && name !== 'Object') return this.fail('type', 'a document must be an object with keys');
    switch (name) {
      case 'Date':
        return this.#date(value as Date, typeAt, at);
      case 'RegExp':
        return this.#regExp(textOf(value, 'source'), regExpOptions(textOf(value, 'flags'), this.#s), typeAt, at);
      case 'ArrayBuffer':
      case 'SharedArrayBuffer':
        return this.#binary(value as ArrayBuffer, typeAt, at);
      case 'Set':
      case 'Error':
      case 'DOMException':
      case 'URL':
        return this.fail('unsupported', `cannot encode a ${name}`);
      default:
        if (isOpaque(name)) this.fail('unsupported', opaqueReason(name));
        if (isRecordList(value)) return this.#instead(value[RECORDS](0, value.length), value, typeAt, at);
        return isBoxed(name) ? this.#element(value.valueOf(), typeAt, at) : this.#document(value, typeAt, at);
    }
  }

  /** Writes the result of an object's `toBSON`. */
  #instead(value: unknown, given: object, typeAt: number, at: number): number {
    if (value === given) return this.#document(given, typeAt, at);
    if (typeAt === at) return this.write(value, at);
    this.open();
    const end = this.#element(value, typeAt, at);
    this.depth -= 1;
    return end;
  }

  /**
   * Writes a document of a Map, whose keys are strings. Uses few stack frames per level, so that the deepest allowed
   * nesting fits the stack.
   */
  #map(map: ReadonlyMap<unknown, unknown>, typeAt: number, at: number): number {
    const keys = [...map.keys()];
    if (!keys.every((key) => typeof key === 'string')) this.fail('unsupported', 'a Map with a key that is no string');
    this.open(map);
    if (typeAt !== at) out[typeAt] = DOCUMENT;
    if (at > soft) at = room(at, 0);
    return this.#rest(map, keys, 0, offsetOf(at), at + 4);
  }

  #date(date: Date, typeAt: number, at: number): number {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) this.fail('range', 'an invalid Date');
    out[typeAt] = DATE;
    return writeInt64(milliseconds, at);
  }

  #binary(value: ArrayBufferView | ArrayBufferLike, typeAt: number, at: number): number {
    out[typeAt] = BINARY;
    return writeView(value, at);
  }

  #regExp(source: string, options: string, typeAt: number, at: number): number {
    out[typeAt] = REGEXP;
    return writeName(options, writeName(source, at));
  }

  #bsonValue({ type, value }: BsonValue, typeAt: number, at: number): number {
    const write = SCALAR_WRITERS[type];
    if (write !== undefined && Object.hasOwn(SCALAR_WRITERS, type)) return write(value as never, typeAt, at);
    if (type === 'Code') return this.#code(value as [string, object?], typeAt, at);
    if (type === 'BSONRegExp') {
      const [pattern, options] = value as [string, string];
      return this.#regExp(pattern, Array.from(options).toSorted().join(''), typeAt, at);
    }
    return this.fail('unsupported', `cannot encode a BsonValue of the unknown type ${type}`);
  }

  #code([code, scope]: readonly [string, object?], typeAt: number, at: number): number {
    if (scope === undefined) {
      out[typeAt] = CODE;
      return writeString(code, at);
    }
    out[typeAt] = CODE_WITH_SCOPE;
    this.open();
    if (at > soft) at = room(at, 0);
    const offset = offsetOf(at);
    at = writeString(code, at + 4);
    try {
      at = this.#container(scope, at, at);
    } catch (error) {
      throw this.at('$scope', error, scope);
    }
    return at === STOPPED ? this.stopped(scope, place('scope', 0, offset, NO_KEYS, 0)) : this.#closeCode(offset, at);
  }

  #closeCode(offset: number, at: number): number {
    this.depth -= 1;
    return this.#patch(offset, at);
  }
}

function hasKey(value: object, key: string): boolean {
  return isMap(value) ? value.has(key) : Object.hasOwn(value, key);
}

function place(kind: StopPlace['kind'], next: number, offset: number, keys: readonly string[], count: number): StopPlace {
  return { kind, next, offset, keys, count };
}

/** Writes BSON: see `BsonWriter`. */
const bsonEncoder: FormatWriter<BsonWriteOptions> = { id: 'bson', createWriter: (options, limits) => new BsonWriter(options, limits) };

export default bsonEncoder;
