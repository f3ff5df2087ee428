import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, view } from '../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../bytes/utf8.ts';
import { type FormatWriter, Writer } from '../writer.ts';
import { followKey, type KeyNode, NO_KEYS } from './key-nodes.ts';

const TWO_32 = 0x1_0000_0000;

/** Writes MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md). */
export class MessagePackWriter extends Writer {
  /** How many keys the last object had: what the next one is taken to have. */
  #guess = 0;

  override write(value: unknown, at: number): number {
    switch (typeof value) {
      case 'string':
        return this.#string(value, at);
      case 'number':
        return this.#number(value, at);
      case 'boolean':
        out[at] = value ? 0xc3 : 0xc2;
        return at + 1;
      case 'object':
        if (value === null) break;
        return Array.isArray(value) ? this.#array(value, at) : this.#object(value as Record<string, unknown>, at);
      case 'undefined':
        break;
      default:
        this.fail('unsupported', `a ${typeof value}`);
    }
    out[at] = 0xc0;
    return at + 1;
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    if (Array.isArray(container)) return this.#items(container, place as number, at);
    const { keys, next } = place as ObjectPlace;
    return this.#fields(container as Record<string, unknown>, keys, next, at);
  }

  protected override stepOf(place: unknown): string | number {
    return typeof place === 'number' ? place - 1 : (place as ObjectPlace).keys[(place as ObjectPlace).next - 1]!;
  }

  #number(value: number, at: number): number {
    const integer = value | 0;
    const target = view;
    if (integer === value) {
      if (integer >= 0) {
        if (integer < 0x80) {
          if (integer === 0 && Object.is(value, -0)) return this.#float(value, at);
          out[at] = integer;
          return at + 1;
        }
        if (integer < 0x100) {
          target.setUint16(at, 0xcc00 | integer);
          return at + 2;
        }
        if (integer < 0x1_0000) {
          out[at] = 0xcd;
          target.setUint16(at + 1, integer);
          return at + 3;
        }
        out[at] = 0xce;
        target.setUint32(at + 1, integer);
        return at + 5;
      }
      if (integer >= -0x20) {
        out[at] = integer;
        return at + 1;
      }
      if (integer >= -0x80) {
        out[at] = 0xd0;
        out[at + 1] = integer;
        return at + 2;
      }
      if (integer >= -0x8000) {
        out[at] = 0xd1;
        target.setInt16(at + 1, integer);
        return at + 3;
      }
      out[at] = 0xd2;
      target.setInt32(at + 1, integer);
      return at + 5;
    }
    if (!Number.isSafeInteger(value)) return this.#float(value, at);
    if (value > 0 && value < TWO_32) {
      out[at] = 0xce;
      target.setUint32(at + 1, value);
      return at + 5;
    }
    const high = Math.floor(value / TWO_32);
    out[at] = value < 0 ? 0xd3 : 0xcf;
    target.setInt32(at + 1, high);
    target.setUint32(at + 5, value - high * TWO_32);
    return at + 9;
  }

  #float(value: number, at: number): number {
    out[at] = 0xcb;
    view.setFloat64(at + 1, value);
    return at + 9;
  }

  #string(text: string, at: number): number {
    const { length } = text;
    if (length > LONG) return this.#longString(text, at);
    if (at + 3 * length > soft) at = room(at, 3 * length);
    // Where all is ASCII, the head has this size.
    const guess = length < 32 ? 1 : length < 0x100 ? 2 : 3;
    let end = writeUtf8(text, at + guess);
    if (end < 0) this.fail('text', 'a string with a lone surrogate');
    const bytes = end - at - guess;
    if (bytes < 32) {
      out[at] = 0xa0 | bytes;
      return end;
    }
    const size = bytes < 0x100 ? 2 : bytes < 0x1_0000 ? 3 : 5;
    if (size !== guess) {
      out.copyWithin(at + size, at + guess, end);
      end += size - guess;
    }
    stringHead(bytes, at);
    return end;
  }

  #longString(text: string, at: number): number {
    const end = writePieces(text, stringHead(utf8Length(text), room(at, 5)));
    if (end < 0) this.fail('text', 'a string with a lone surrogate');
    return end;
  }

  #array(list: readonly unknown[], at: number): number {
    this.open();
    const start = at > soft ? room(at, 0) : at;
    return this.#items(list, 0, arrayHead(list.length, start));
  }

  #items(list: readonly unknown[], from: number, at: number): number {
    const { length } = list;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, index);
        if ((at = this.write(list[index], at)) === STOPPED) return this.stopped(list, index + 1);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  #object(value: Record<string, unknown>, at: number): number {
    this.open();
    if (at > soft) at = room(at, 0);
    const head = at;
    const chunk = out;
    const offset = offsetOf(at);
    const guess = this.#guess;
    at = mapHead(guess, at);
    let node: KeyNode = NO_KEYS;
    let count = 0;
    let last = '';
    try {
      for (const key in value) {
        last = key;
        const next = node.next;
        if (next !== undefined && next.key === key) node = next;
        else {
          if (!Object.hasOwn(value, key)) continue;
          node = followKey(node, key);
        }
        const { words } = node;
        if (words === undefined) at = this.#string(key, at);
        else {
          const target = view;
          for (let word = 0, place = at; word < words.length; word += 1, place += 4) target.setInt32(place, words[word]!, true);
          at += node.length;
        }
        count += 1;
        at = this.write(value[key], at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.#stopInObject(value, key, guess, offset);
      }
    } catch (error) {
      throw this.at(last, error, value);
    }
    this.#guess = count;
    this.depth -= 1;
    if (count === guess) return at;
    if (chunk !== out || headSize(count) !== headSize(guess)) return replaceAt(offset, headSize(guess), mapHeadBytes(count), at);
    mapHead(count, head);
    return at;
  }

  /** The turn has ended behind the value of `key`: the head is made right, and the keys are those that there are now. */
  #stopInObject(value: Record<string, unknown>, key: string, guess: number, offset: number): number {
    const keys = Object.keys(value);
    if (keys.length !== guess) replaceAt(offset, headSize(guess), mapHeadBytes(keys.length), 0);
    const place: ObjectPlace = { keys, next: keys.indexOf(key) + 1 };
    return this.stopped(value, place);
  }

  #fields(value: Record<string, unknown>, keys: readonly string[], from: number, at: number): number {
    let next = from;
    try {
      for (; next < keys.length; next += 1) {
        at = this.write(value[keys[next]!], this.#string(keys[next]!, at));
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) {
          const place: ObjectPlace = { keys, next: next + 1 };
          return this.stopped(value, place);
        }
      }
    } catch (error) {
      throw this.at(keys[next]!, error, value);
    }
    this.depth -= 1;
    return at;
  }
}

interface ObjectPlace {
  readonly keys: readonly string[];
  readonly next: number;
}

function stringHead(bytes: number, at: number): number {
  if (bytes < 32) {
    out[at] = 0xa0 | bytes;
    return at + 1;
  }
  if (bytes < 0x100) {
    view.setUint16(at, 0xd900 | bytes);
    return at + 2;
  }
  out[at] = bytes < 0x1_0000 ? 0xda : 0xdb;
  if (bytes < 0x1_0000) view.setUint16(at + 1, bytes);
  else view.setUint32(at + 1, bytes);
  return at + (bytes < 0x1_0000 ? 3 : 5);
}

function arrayHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x90 | count;
    return at + 1;
  }
  out[at] = count < 0x1_0000 ? 0xdc : 0xdd;
  if (count < 0x1_0000) view.setUint16(at + 1, count);
  else view.setUint32(at + 1, count);
  return at + (count < 0x1_0000 ? 3 : 5);
}

function mapHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x80 | count;
    return at + 1;
  }
  out[at] = count < 0x1_0000 ? 0xde : 0xdf;
  if (count < 0x1_0000) view.setUint16(at + 1, count);
  else view.setUint32(at + 1, count);
  return at + (count < 0x1_0000 ? 3 : 5);
}

function headSize(count: number): number {
  return count < 16 ? 1 : count < 0x1_0000 ? 3 : 5;
}

function mapHeadBytes(count: number): Uint8Array {
  if (count < 16) return Uint8Array.of(0x80 | count);
  if (count < 0x1_0000) return Uint8Array.of(0xde, count >>> 8, count);
  return Uint8Array.of(0xdf, count >>> 24, count >>> 16, count >>> 8, count);
}

const messagepack: FormatWriter = {
  createWriter: (_options, limits) => new MessagePackWriter(limits),
};

export default messagepack;
