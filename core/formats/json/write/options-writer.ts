import type { Limits } from '../../../limits.ts';
import { isWritable, JsonWriter } from './json-writer.ts';
import type { JsonWriteOptions } from '../options.ts';

/** Writes JSON with options for values that `JSON.stringify` cannot represent, or represents differently. */
export class OptionsWriter extends JsonWriter {
  readonly #options: JsonWriteOptions;

  constructor(options: JsonWriteOptions, limits: Limits) {
    super(options, limits);
    this.#options = options;
  }

  protected override converted(value: object): unknown {
    const { maps, sets, bytes = 'object' } = this.#options;
    if (value instanceof Map && maps === 'object') return this.#objectOf(value);
    if (value instanceof Map && maps === 'entries') return [...value];
    if (value instanceof Set && sets === 'array') return [...value];
    if (bytes === 'object') return value;
    if (value instanceof Uint8Array) return toBase64(value, bytes);
    return value instanceof ArrayBuffer ? toBase64(new Uint8Array(value), bytes) : value;
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

  /** Always undefined: the engine does not know the options. */
  protected override runText(): undefined {
    return undefined;
  }

  /** Composes the text without the engine. */
  protected override text(value: object): string {
    this.open(value);
    const text = Array.isArray(value) ? this.#arrayText(value) : this.#objectText(value as Record<string, unknown>);
    this.depth -= 1;
    return text;
  }

  #arrayText(list: readonly unknown[]): string {
    let text = '[';
    for (let index = 0, { length } = list; index < length; index += 1) {
      text += index > 0 ? `,${this.#itemText(list, index)}` : this.#itemText(list, index);
    }
    return `${text}]`;
  }

  #itemText(list: readonly unknown[], index: number): string {
    try {
      const value = this.prepare(list[index], String(index));
      return isWritable(value) ? this.anyText(value)! : 'null';
    } catch (error) {
      throw this.at(index, error, list);
    }
  }

  #objectText(object: Record<string, unknown>): string {
    let text = '{';
    for (const key of Object.keys(object)) {
      try {
        const value = this.prepare(object[key], key);
        if (!isWritable(value)) continue;
        text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${this.anyText(value)}`;
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
