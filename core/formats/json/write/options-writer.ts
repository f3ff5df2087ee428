import { bytesOf } from '../../../writing/binary-values.ts';
import { isMap, isSet } from '../../../values/class-of.ts';
import { hasToJson } from '../../../writing/written-classes.ts';
import type { Limits } from '../../../limits.ts';
import { MAX_DEPTH } from './estimate.ts';
import { isWritable, JsonWriter } from './json-writer.ts';
import type { JsonWriteOptions } from '../options.ts';

/** Writes JSON with options for values that `JSON.stringify` cannot represent, or represents differently. */
export class OptionsWriter extends JsonWriter {
  readonly #options: JsonWriteOptions;
  #isComposing = false;
  /** Open calls of `text`, and how many there may be. */
  #levels = 0;
  #deepest = MAX_DEPTH;

  constructor(options: JsonWriteOptions, limits: Limits) {
    super(options, limits);
    this.#options = options;
  }

  protected override converted(value: object): unknown {
    const { maps, sets } = this.#options;
    if (isMap(value) && maps === 'object') return this.#objectOf(value);
    if (isMap(value) && maps === 'entries') return [...value];
    if (isSet(value) && sets === 'array') return [...value];
    return this.#bytesText(value) ?? value;
  }

  /** Bytes come before a `toJSON`, such as that of Node's Buffer. */
  protected override prepare(value: unknown, key: string): unknown {
    return this.#bytesText(value) ?? super.prepare(value, key);
  }

  #bytesText(value: unknown): string | undefined {
    const { bytes = 'object' } = this.#options;
    const found = bytes === 'object' ? undefined : bytesOf(value);
    return found && toBase64(found, bytes as 'base64');
  }

  protected override get takesBigints(): boolean {
    return (this.#options.bigints ?? 'error') !== 'error';
  }

  protected override bigint(value: bigint): bigint | string {
    const { bigints = 'error' } = this.#options;
    if (bigints === 'error') return super.bigint(value);
    return bigints === 'string' ? String(value) : value;
  }

  #objectOf(map: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const [key, value] of map) {
      if (typeof key !== 'string' && typeof key !== 'number') this.fail('unsupported', `a Map with a ${typeof key} as a key, where JSON has strings`);
      // Defines an own property even for the name __proto__.
      Object.defineProperty(object, key, { value, enumerable: true });
    }
    return object;
  }

  protected override scalar(value: unknown): string {
    const { nonFinite } = this.#options;
    if (nonFinite === 'error' && typeof value === 'number' && !Number.isFinite(value)) this.fail('unsupported', `JSON has no ${value}`);
    return typeof value === 'bigint' ? String(value) : super.scalar(value);
  }

  /** Undefined for values that the options are for, which the engine does not know. */
  protected override runText(items: readonly unknown[], isSequence: boolean): string | undefined {
    return items.every((item) => this.#isCommon(item)) ? super.runText(items, isSequence) : undefined;
  }

  protected override reset(): void {
    super.reset();
    this.#levels = 0;
    this.#deepest = MAX_DEPTH;
  }

  /** Composes the text without the engine if the options are for parts of the value. */
  protected override text(value: object): string | undefined {
    // A part of such a value is not looked through once more.
    const common = !this.#isComposing && this.#isCommon(value) ? super.text(value) : undefined;
    if (common !== undefined) return common;
    const wasComposing = this.#isComposing;
    this.#isComposing = true;
    try {
      return this.#composed(value);
    } finally {
      this.#isComposing = wasComposing;
    }
  }

  /** True for a small value of JSON's own types, which no option is for. */
  #isCommon(value: unknown): boolean {
    if (typeof value === 'number') return Number.isFinite(value) || this.#options.nonFinite !== 'error';
    if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'function';
    if (Array.isArray(value)) return value.every((item) => this.#isCommon(item));
    if (Object.getPrototypeOf(value) !== Object.prototype || hasToJson(value)) return false;
    return Object.values(value).every((item) => this.#isCommon(item));
  }

  /**
   * Composes the text without the engine. Undefined if it nests deeper than estimated, since contents were replaced: the
   * value is then walked.
   */
  #composed(value: object): string | undefined {
    if (this.#levels === this.#deepest) {
      // Otherwise the next containers inside would be tried as often.
      this.#deepest = 1;
      return undefined;
    }
    this.#levels += 1;
    this.open(value);
    const text = Array.isArray(value) ? this.#arrayText(value) : this.#objectText(value as Record<string, unknown>);
    this.depth -= 1;
    this.#levels -= 1;
    return text;
  }

  #arrayText(list: readonly unknown[]): string | undefined {
    let text = '[';
    for (let index = 0, { length } = list; index < length; index += 1) {
      const item = this.#itemText(list, index);
      if (item === undefined) return undefined;
      text += index > 0 ? `,${item}` : item;
    }
    return `${text}]`;
  }

  #itemText(list: readonly unknown[], index: number): string | undefined {
    try {
      const value = this.prepare(list[index], String(index));
      return isWritable(value) ? this.anyText(value) : 'null';
    } catch (error) {
      throw this.at(index, error, list);
    }
  }

  #objectText(object: Record<string, unknown>): string | undefined {
    let text = '{';
    for (const key of Object.keys(object)) {
      try {
        const value = this.prepare(object[key], key);
        if (!isWritable(value)) continue;
        const own = this.anyText(value);
        if (own === undefined) return undefined;
        text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${own}`;
      } catch (error) {
        throw this.at(key, error, object);
      }
    }
    if (text === '{') this.refuseSource(object);
    return `${text}}`;
  }
}

/** Encodes bytes in base64, or in base64url without padding. */
function toBase64(bytes: Uint8Array, alphabet: 'base64' | 'base64url'): string {
  let text = '';
  // A multiple of three bytes, and few enough arguments for engines.
  for (let from = 0; from < bytes.length; from += 0x3000) text += btoa(String.fromCharCode(...bytes.subarray(from, from + 0x3000)));
  return alphabet === 'base64' ? text : text.replaceAll('+', '-').replaceAll('/', '_').replace(/==?$/, '');
}
