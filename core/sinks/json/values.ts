import { isBuffer, isDate, isMap, isSet } from '../../values/class-of.ts';
import { DecodeError } from '../../errors.ts';

/** Options of JSON text. */
export interface JsonTextOptions {
  /**
   * Form of integers past ±(2⁵³ − 1): numbers, of which `JSON.parse` keeps about 16 digits, or strings. Default
   * `number`.
   */
  bigints?: 'number' | 'string' | undefined;
}

/** `JSON.stringify`, with maps, sets, binary values and bigints as `JsonTextSink` writes them. */
export function stringifyValue(value: unknown, { bigints }: JsonTextOptions): string | undefined {
  /** Prefix of strings that stand for bigints to be written as numbers. */
  let marked = '';
  const replace = (_key: string, inner: unknown): unknown => {
    if (typeof inner === 'bigint') {
      if (bigints === 'string') return String(inner);
      marked ||= `bigint:${crypto.getRandomValues(new Uint32Array(4)).join()}:`;
      return marked + String(inner);
    }
    if (isMap(inner)) return objectOf(inner);
    if (isSet(inner)) return [...inner];
    if (isBuffer(inner)) return toBase64(new Uint8Array(inner));
    if (ArrayBuffer.isView(inner)) return toBase64(inner);
    return inner;
  };
  let text: string | undefined;
  try {
    text = JSON.stringify(value, replace);
  } catch (error) {
    if (error instanceof TypeError) throw unsupported('a value that contains itself');
    throw error;
  }
  return marked ? text?.replaceAll(new RegExp(`"${marked}(-?\\d+)"`, 'g'), '$1') : text;
}

/** Encodes a binary value in base64 (RFC 4648 section 4). */
export function toBase64(value: ArrayBufferView | ArrayBufferLike): string {
  const bytes = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x2000) text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(text);
}

function objectOf(map: ReadonlyMap<unknown, unknown>): object {
  const entries = [...map].map(([key, value]): [string, unknown] => {
    if (isDate(key)) return [key.toJSON(), value];
    if (typeof key === 'object' && key !== null) throw unsupported('a map whose keys are no plain values');
    return [String(key), value];
  });
  return Object.fromEntries(entries);
}

function unsupported(what: string): DecodeError {
  return new DecodeError('unsupported', `${what} cannot be written as JSON`);
}
