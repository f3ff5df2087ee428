import { DecodeError } from '../../../errors.ts';

/** `Obj` and version 1. */
export const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 0x01);
export const SYNC_BYTES = 16;

/** Header of a container, which precedes the blocks. */
export interface ContainerHeader {
  /** JSON. */
  schema: string;
  codec: string;
  sync: Uint8Array;
  /** Position after it. */
  end: number;
}

/** A block of a container: the position of its head, the range of its data as stored, and their number. */
interface ContainerBlock {
  offset: number;
  from: number;
  bytes: number;
  count: number;
}

/** True if the bytes, as far as they are available, begin like a container. */
export function startsAsContainer(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = 0; i < MAGIC.length && from + i < to; i += 1) if (bytes[from + i] !== MAGIC[i]) return false;
  return true;
}

/** A number and the position after it. */
interface Read {
  value: number;
  next: number;
}

/** Reads a long (zig-zag, seven bits per byte), exact within the range of safe integers; undefined if it is incomplete. */
function readNumber(bytes: Uint8Array, at: number, to: number, base: number): Read | undefined {
  let sum = 0;
  let scale = 1;
  for (let next = at; next < to;) {
    const byte = bytes[next]!;
    sum += (byte & 0x7f) * scale;
    scale *= 128;
    next += 1;
    if (byte < 0x80) return { value: sum % 2 === 0 ? sum / 2 : -(sum + 1) / 2, next };
    if (next - at === 10) throw malformed('an integer has more than 64 bits', base + at);
  }
  return undefined;
}

/** An incomplete header; `needed` is the position up to which bytes are required. */
interface Cut {
  needed: number;
}

/** Progress of reading a header: a position relative to its start, and the metadata found before it. */
interface HeaderProgress {
  at: number;
  /** Remaining entries of the current metadata block; 0 before a block, −1 after the last. */
  left: number;
  schema: string | undefined;
  codec: string;
}

/** Progress before the first byte. */
export function newHeader(): HeaderProgress {
  return { at: MAGIC.length, left: 0, schema: undefined, codec: 'null' };
}

/**
 * Reads the header (https://avro.apache.org/docs/1.12.0/specification/#object-container-files):
 *
 *     Obj 01, metadata as map<bytes>, 16 bytes of sync marker
 *
 * Returns the required position if the header is incomplete. `base` is the input offset of `bytes[0]`. Each value of
 * the metadata has at most `longest` bytes. `progress` is passed from call to call, so that a header in many chunks
 * is read only once.
 */
export function readHeader(
  bytes: Uint8Array,
  from: number,
  to: number,
  base: number,
  longest: number,
  progress: HeaderProgress = newHeader(),
): ContainerHeader | Cut {
  if (!startsAsContainer(bytes, from, to)) throw malformed('not a container: it must begin with Obj 01', base + from);
  let at = from + progress.at;
  if (at > to) return { needed: at };
  const take = (): Read | Cut => {
    const length = readNumber(bytes, at, to, base);
    if (!length) return { needed: 0 };
    if (length.value < 0) throw malformed('a key or a value has a negative length', base + at);
    if (length.value > longest) throw malformed(`the metadata has more than ${longest} bytes`, base + at);
    return length.next + length.value > to ? { needed: length.next + length.value } : length;
  };
  while (progress.left >= 0) {
    if (progress.left === 0) {
      const count = readNumber(bytes, at, to, base);
      const size = count && count.value < 0 ? readNumber(bytes, count.next, to, base) : count;
      if (!size) return { needed: 0 };
      at = size.next;
      progress.left = count!.value === 0 ? -1 : Math.abs(count!.value);
    } else {
      const key = take();
      if ('needed' in key) return key;
      const name = latin(bytes, key.next, key.next + key.value);
      at = key.next + key.value;
      const value = take();
      if ('needed' in value) return value;
      const end = value.next + value.value;
      if (name === 'avro.schema') progress.schema = utf8(bytes, value.next, end, base);
      else if (name === 'avro.codec') progress.codec = latin(bytes, value.next, end);
      at = end;
      progress.left -= 1;
    }
    progress.at = at - from;
  }
  const { schema, codec } = progress;
  const end = at + SYNC_BYTES;
  if (end > to) return { needed: end };
  if (schema === undefined) throw malformed('the container has no avro.schema', base + from);
  return { schema, codec: codec || 'null', sync: bytes.slice(at, end), end };
}

/** Reads the head of a block: the number of its data and their size in bytes. Undefined if it is incomplete. */
export function readBlockHead(bytes: Uint8Array, at: number, to: number, base: number): ContainerBlock | undefined {
  const count = readNumber(bytes, at, to, base);
  const size = count && readNumber(bytes, count.next, to, base);
  if (!size) return undefined;
  if (count.value < 0) throw malformed('a block has a negative number of data', base + at);
  if (size.value < 0) throw malformed('a block has a negative length', base + count.next);
  return { offset: at, from: size.next, bytes: size.value, count: count.value };
}

/** Checks the sync marker that ends a block. */
export function checkSync(bytes: Uint8Array, at: number, sync: Uint8Array, base: number): void {
  for (let i = 0; i < SYNC_BYTES; i += 1) {
    if (bytes[at + i] !== sync[i]) throw malformed('the sync marker is not that of the container', base + at);
  }
}

function latin(bytes: Uint8Array, from: number, end: number): string {
  let text = '';
  for (let at = from; at < Math.min(end, from + 64); at += 1) text += String.fromCharCode(bytes[at]!);
  return text;
}

function utf8(bytes: Uint8Array, from: number, end: number, base: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, end));
  } catch {
    throw new DecodeError('invalid-utf8', 'the schema of the container is not valid UTF-8', { offset: base + from });
  }
}

function malformed(reason: string, offset: number): DecodeError {
  return new DecodeError('malformed', reason, { offset });
}
