import { Output, utf8 } from './output.ts';
import { bytesOf, isRecord, nameOf, Unfit } from './shape.ts';

// Types, by their numbers in the package's table.
const NULL = 0;
const UNDEFINED = 1;
const UINTS = [2, 3, 4] as const;
const INT8 = 8;
const INT16 = 9;
const INT32 = 10;
const FLOAT64 = 17;
const REFS = [21, 22, 23] as const;
const UTFZ = 27;
const STRINGS = [28, 29, 30] as const;
const BINARIES = [34, 35, 36] as const;
const TRUE = 40;
const FALSE = 41;
const CONSTRUCTOR = 44;
const ARRAYS = [47, 48, 49] as const;
const OBJECT = 52;
const SET = 54;
const MAP = 56;

/** Shorter texts are written as utfz. */
const SHORT = 60;

/**
 * A value in Sia v1, as the package `sializer` writes it: the package itself makes code from text as it loads, which the
 * panel's policy forbids.
 */
export function encodeSia(value: unknown): Uint8Array {
  const output = new Output();
  const keys = new Map<string, number>();

  /** A type by how many bytes its number takes, and the number. */
  const sized = (types: readonly [number, number, number], count: number): void => {
    const size = count < 0x100 ? 0 : count < 0x1_0000 ? 1 : 2;
    output.byte(types[size]);
    uint(count, size);
  };
  const uint = (count: number, size: number): void => {
    const at = output.take(1 << size);
    if (size === 0) output.view.setUint8(at, count);
    else if (size === 1) output.view.setUint16(at, count, true);
    else output.view.setUint32(at, count, true);
  };

  const text = (item: string): void => {
    if (item.length < SHORT) {
      output.byte(UTFZ);
      const place = output.take(1);
      writeUtfz(output, item);
      output.bytes[place] = output.length - place - 1;
      return;
    }
    const bytes = utf8(item);
    const most = item.length * 3;
    const size = most < 0x100 ? 0 : most < 0x1_0000 ? 1 : 2;
    output.byte(STRINGS[size]);
    uint(bytes.length, size);
    output.all(bytes);
  };

  const number = (item: number): void => {
    if (Number.isInteger(item) && item >= 0 && item < 2 ** 32) return sized(UINTS, item);
    if (Number.isInteger(item) && item < 0 && item >= -(2 ** 31)) {
      const type = item >= -0x80 ? INT8 : item >= -0x8000 ? INT16 : INT32;
      output.byte(type);
      return uint(item >>> 0, type - INT8);
    }
    output.byte(FLOAT64);
    return output.double(item);
  };

  const write = (item: unknown): void => {
    if (typeof item === 'string') return text(item);
    if (typeof item === 'number') return number(item);
    if (typeof item === 'boolean') return output.byte(item ? TRUE : FALSE);
    if (item === null || item === undefined) return output.byte(item === null ? NULL : UNDEFINED);
    if (Array.isArray(item)) {
      sized(ARRAYS, item.length);
      return (item as unknown[]).forEach(write);
    }
    if (item instanceof Uint8Array || item instanceof ArrayBuffer) {
      const bytes = bytesOf(item);
      sized(BINARIES, bytes.length);
      return output.all(bytes);
    }
    if (item instanceof Date) return constructed(1, [item.getTime()]);
    if (item instanceof RegExp) return constructed(0, [item.source, item.flags]);
    if (item instanceof Set) return between(SET, item);
    if (item instanceof Map) return between(MAP, [...item].flat());
    if (!isRecord(item)) throw new Unfit(typeof item === 'bigint' ? 'it writes no bigint' : `it writes no ${nameOf(item)}`);
    output.byte(OBJECT);
    for (const key of Object.keys(item)) {
      const known = keys.get(key);
      if (known === undefined) {
        keys.set(key, keys.size);
        text(key);
      } else {
        sized(REFS, known);
      }
      write(item[key]);
    }
    return output.byte(OBJECT + 1);
  };
  const between = (type: number, items: Iterable<unknown>): void => {
    output.byte(type);
    for (const item of items) write(item);
    output.byte(type + 1);
  };
  const constructed = (code: number, args: unknown[]): void => {
    output.byte(CONSTRUCTOR);
    output.byte(code);
    write(args);
  };

  write(value);
  return output.finish();
}

/** The low byte of each UTF-16 unit; before one with another high byte than the last a zero and that byte. A low byte 0 has the high byte behind it. */
function writeUtfz(output: Output, item: string): void {
  let before = 0;
  for (let at = 0; at < item.length; at += 1) {
    const code = item.charCodeAt(at);
    const high = code >> 8;
    if (high !== before) {
      output.byte(0);
      output.byte(high);
      before = high;
    }
    output.byte(code & 0xff);
    if ((code & 0xff) === 0) output.byte(high);
  }
}
