import { BINARY_KINDS } from '../../../core/reading/sink.ts';
import { formatDecimal128, parseDecimal128 } from '../../../core/formats/bson/decimal128.ts';
import { BsonValue, DECIMAL128 } from '../../../core/formats/bson/revive.ts';
import { CborSimple, CborTag, SIMPLE_TAG, UNKNOWN_TAG } from '../../../core/formats/cbor/revive.ts';
import { EXTENSION_TAG, MessagePackExtension } from '../../../core/formats/messagepack/revive.ts';
import { toBase64 } from '../../adapter/bytes.ts';
import { Budget } from '../../../core/budget.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { escapeMark, type Exported } from '../../values/value.ts';

/**
 * Converts a value to editable JSON in the notation of `exportValue`. Objects of other classes become `$kept` with their
 * index in `kept`, so they survive unchanged. A container inside itself becomes a `$ref` with a path. A shared container
 * is repeated, and repetitions count against the expansion limit of a payload of `bytes`. Throws a LimitError.
 */
export function toNotation(value: unknown, kept: unknown[], bytes: number): Exported {
  const budget = new Budget(resolveLimits());
  budget.receive(bytes);
  return new Writer(kept, budget).write(value);
}

class Writer {
  readonly #kept: unknown[];
  /** Enclosing containers, and the path to the current value. */
  readonly #enclosing: object[] = [];
  readonly #path: (string | number)[] = [];
  readonly #budget: Budget;
  readonly #seen = new Set<object>();
  /** Number of enclosing containers that were written before. */
  #again = 0;

  constructor(kept: unknown[], budget: Budget) {
    this.#kept = kept;
    this.#budget = budget;
  }

  write(value: unknown): Exported {
    if (this.#again > 0) this.#spendAgain(value);
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: Object.is(value, -0) ? '-0' : String(value) };
      case 'bigint':
        return { $bigint: String(value) };
      case 'undefined':
        return { $undefined: true };
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        return this.#keep(value, typeof value);
    }
  }

  /** Charges a value inside a repeated container. */
  #spendAgain(value: unknown): void {
    this.#budget.spend(1);
    if (typeof value === 'string') this.#budget.spendBytes(value.length);
  }

  #object(value: object): Exported {
    const at = this.#enclosing.indexOf(value);
    if (at >= 0) return { $ref: this.#path.slice(0, at) };
    if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      if (this.#seen.has(value)) this.#budget.spendBytes(value.byteLength);
      this.#seen.add(value);
      return binary(value);
    }
    const tagged = tagOf(value);
    if (tagged) return { $tag: tagged[0], value: this.write(tagged[1]) };
    const isAgain = this.#seen.has(value);
    this.#seen.add(value);
    if (isAgain) this.#again += 1;
    this.#enclosing.push(value);
    const written = this.#container(value);
    this.#enclosing.pop();
    if (isAgain) this.#again -= 1;
    return written ?? this.#keep(value, value.constructor?.name ?? 'object');
  }

  #container(value: object): Exported | undefined {
    if (Array.isArray(value)) return this.#items(value);
    if (value instanceof Set) return { $set: this.#items([...value]) };
    if (value instanceof Map) return { $map: this.#items([...value].flat(1)) };
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return undefined;
    const object: { [key: string]: Exported } = {};
    for (const [key, item] of Object.entries(value)) define(object, escapeMark(key), this.#step(key, item));
    return object;
  }

  #items(items: readonly unknown[]): Exported[] {
    return Array.from(items, (item, index) => this.#step(index, item));
  }

  #step(step: string | number, item: unknown): Exported {
    this.#path.push(step);
    const written = this.write(item);
    this.#path.pop();
    return written;
  }

  #keep(value: unknown, name: string): Exported {
    return { $kept: this.#kept.push(value) - 1, class: name };
  }
}

/** Text of a decimal; undefined if the text would be written as other bytes. */
function decimalText(bytes: Uint8Array): string | undefined {
  const text = formatDecimal128(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  return parseDecimal128(text)?.every((byte, at) => byte === bytes[at]) === true ? text : undefined;
}

function binary(value: ArrayBufferView | ArrayBuffer): Exported {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const base64: Exported = { $base64: toBase64(bytes) };
  const kind = value.constructor.name;
  return kind === 'Uint8Array' || !BINARY_KINDS.some((name) => name === kind) ? base64 : { ...base64, $type: kind };
}

/** Tag and content of an object, as taken by `revive` of a format or the core. */
function tagOf(value: object): readonly [tag: string, inner: unknown] | undefined {
  if (value instanceof CborTag) return [UNKNOWN_TAG, [value.tag, value.value]];
  if (value instanceof CborSimple) return [SIMPLE_TAG, value.value];
  if (value instanceof BsonValue && value.type === 'Decimal128') return [DECIMAL128, decimalText(value.value as Uint8Array) ?? value.value];
  if (value instanceof BsonValue) return [`bson:${value.type}`, value.value];
  if (value instanceof MessagePackExtension) return [EXTENSION_TAG, [value.type, value.data]];
  if (value instanceof RegExp) return ['RegExp', [value.source, value.flags]];
  if (value instanceof URL) return ['URL', value.href];
  if (value instanceof Error) return ['Error', value.cause === undefined ? [value.name, value.message] : [value.name, value.message, value.cause]];
  return undefined;
}

/** Defines a property with any name, including `__proto__`. */
export function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
