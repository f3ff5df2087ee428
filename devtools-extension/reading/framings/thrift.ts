import type { PanelFormatId } from '../read-format.ts';
import type { Framing, Piece, ShellPart } from './framing.ts';
import { textOf } from './framing.ts';

/** What a message is, by its number. */
const TYPES = [undefined, 'call', 'reply', 'exception', 'oneway'] as const;
/** What a message holds, by the same number. */
const CONTENTS = ['', 'arguments', 'result', 'exception', 'arguments'] as const;
const LONGEST_NAME = 300;

interface Message {
  format: PanelFormatId;
  piece: Piece;
}

/**
 * Messages of Thrift: one that takes all bytes, or several with their lengths, as the framed transport has them.
 *
 *     compact   0x82,  type << 5 | 1,  varint sequence id,  varint length, name,  struct
 *     binary    0x80, 0x01, 0, type,  int32 length, name,  int32 sequence id,  struct
 *     framed    uint32 length, message
 *
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-rpc.md
 */
export function findThrift(bytes: Uint8Array): Framing | undefined {
  const one = messageAt(bytes, 0, bytes.length, []);
  if (one) return { wrapping: 'Thrift messages', isList: false, pieces: [one.piece], format: one.format };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: Piece[] = [];
  let format: PanelFormatId | undefined;
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 <= bytes.length ? at + 4 + view.getUint32(at) : Infinity;
    if (end > bytes.length) return undefined;
    const length: ShellPart = { name: 'frame length', type: 'uint32', from: at, end: at + 4, value: end - at - 4 };
    const message = messageAt(bytes, at + 4, end, [length]);
    if (!message || (format && format !== message.format)) return undefined;
    ({ format } = message);
    pieces.push(message.piece);
    at = end;
  }
  return format && { wrapping: 'Thrift messages', isList: pieces.length > 1, pieces, format };
}

function messageAt(bytes: Uint8Array, from: number, end: number, before: readonly ShellPart[]): Message | undefined {
  const isCompact = bytes[from] === 0x82;
  if (!isCompact && bytes[from] !== 0x80) return undefined;
  const cursor = new Cursor(bytes, from + 1, end);
  const parts: Piece['parts'] = [...before];
  const part = (name: string, type: string, start: number, value: number | string): void => {
    parts.push({ name, type, from: start, end: cursor.at, value });
  };
  part('protocol', 'protocol id', from, isCompact ? 'compact' : 'binary');
  const head = isCompact ? cursor.byte() : cursor.uint24();
  if (isCompact ? (head & 31) !== 1 : head >>> 8 !== 0x0100) return undefined;
  const number = isCompact ? head >>> 5 : head & 0xff;
  const type = TYPES[number];
  if (!type) return undefined;
  part('message type', 'version, message type', from + 1, type);
  const sequenceId = (): void => {
    const start = cursor.at;
    const value = isCompact ? cursor.varint() : cursor.int32();
    part('sequence id', isCompact ? 'varint' : 'int32', start, value);
  };
  if (isCompact) sequenceId();
  const nameFrom = cursor.at;
  const length = isCompact ? cursor.varint() : cursor.int32();
  const nameEnd = cursor.at + length;
  if (!(length > 0 && length <= LONGEST_NAME && nameEnd < end)) return undefined;
  const name = textOf(bytes, cursor.at, nameEnd);
  if (!/^[\w.:$-]+$/.test(name)) return undefined;
  cursor.at = nameEnd;
  part('name', 'length, method name', nameFrom, name);
  if (!isCompact) sequenceId();
  if (cursor.at >= end) return undefined;
  parts.push({ name: CONTENTS[number]!, from: cursor.at, end });
  const start = before[0]?.from ?? from;
  return { format: isCompact ? 'thrift-compact' : 'thrift-binary', piece: { type: `${type} of ${name}`, from: start, end, parts } };
}

/** Reads the numbers before a struct; NaN behind the end. */
class Cursor {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  byte(): number {
    return this.at < this.#end ? this.#bytes[this.at++]! : NaN;
  }

  uint24(): number {
    return this.byte() * 0x10000 + this.byte() * 0x100 + this.byte();
  }

  int32(): number {
    return (this.byte() << 24) + this.uint24();
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (!(byte >= 0x80)) return Number.isNaN(byte) ? NaN : value;
    }
    return NaN;
  }
}
