import { DecodeError } from '../../../errors.ts';
import { Table } from '../../flatbuffers/read/table.ts';

/** The magic number at the start and the end of a file. */
const MAGIC = Uint8Array.of(0x41, 0x52, 0x52, 0x4f, 0x57, 0x31);
/** Bytes before the first message of a file: the magic number and two zeros. */
export const FILE_HEAD = 8;
/** Bytes after the footer of a file: its length and the magic number. */
const FILE_TAIL = 10;
const CONTINUATION = 0xffffffff;

/** Headers of messages (format/Message.fbs). */
export const SCHEMA = 1;
export const DICTIONARY_BATCH = 2;
export const RECORD_BATCH = 3;

/** A message in a window: its metadata, a FlatBuffer, and its body. */
export interface Message {
  /** Positions in the window. */
  readonly from: number;
  readonly metadataEnd: number;
  readonly bodyEnd: number;
  /** The union Header of the table Message, and its version: 3 for V4, 4 for V5. */
  readonly type: number;
  readonly header: Table;
  readonly version: number;
  /** Throws a DecodeError for a position of the metadata. */
  readonly fail: (reason: string, position: number) => never;
}

/** True if `bytes` begin a file rather than a stream. There must be `FILE_HEAD` of them. */
export function isFile(bytes: Uint8Array, at: number): boolean {
  return MAGIC.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Reads the head of the message at `at` (Encapsulated message format in the specification):
 *
 *     0xffffffff, int32 bytes of metadata, metadata, padding, body
 *
 * Streams written before version 0.15 lack the first word. Returns the number of bytes that are needed to tell more;
 * `'end'` for the mark at the end of a stream. `base` is the offset of the window in the input.
 */
export function messageAt(bytes: Uint8Array, view: DataView, at: number, to: number, base: number): Message | number | 'end' {
  if (to - at < 4) return 4;
  const isMarked = view.getUint32(at, true) === CONTINUATION;
  if (isMarked && to - at < 8) return 8;
  const from = at + (isMarked ? 8 : 4);
  const length = view.getInt32(from - 4, true);
  const fail = (reason: string, position: number): never => {
    throw new DecodeError('malformed', reason, { offset: base + position });
  };
  if (length === 0) return 'end';
  if (length < 0) fail(`a message has ${length} bytes of metadata`, at);
  const metadataEnd = from + length;
  if (metadataEnd > to) return metadataEnd - at;
  const failInside = (reason: string, position: number): never => fail(`invalid metadata: ${reason}`, from + Math.max(0, Math.min(position, length)));
  // table Message { version, header_type, header, bodyLength, custom_metadata }
  const table = Table.root(bytes.subarray(from, metadataEnd), failInside);
  const body = table.int64(3);
  if (body < 0 || body > Number.MAX_SAFE_INTEGER) fail(`a message has a body of ${body} bytes`, at);
  const header = table.table(2);
  if (!header) return fail('a message has no header', at);
  return { from, metadataEnd, bodyEnd: metadataEnd + Number(body), type: table.int8(1), header, version: table.uint16(0), fail: failInside };
}

/** Length of the mark at the end of a stream. */
export function endMarkLength(view: DataView, at: number): number {
  return view.getUint32(at, true) === CONTINUATION ? 8 : 4;
}

/** True if the word at `at` begins a message or the mark at the end. */
export function isMarked(view: DataView, at: number): boolean {
  return view.getUint32(at, true) === CONTINUATION;
}

/** A table Schema, in the first message or the footer of a file. */
export interface SchemaTable {
  readonly schema: Table;
  /** Bytes of the FlatBuffer that holds the table. */
  readonly bytes: number;
  /** Throws a DecodeError for a position of these. */
  readonly fail: (reason: string, position: number) => never;
}

/** The footer of a file. */
export interface Footer extends SchemaTable {
  /** Position in the window. */
  readonly from: number;
  /** Where the messages of dictionaries and record batches begin, in bytes from the start of the file. */
  readonly dictionaries: readonly number[];
  readonly batches: readonly number[];
}

/** Bytes of a struct Block { offset: long, metaDataLength: int, bodyLength: long }. */
const BLOCK = 24;

/** Reads the footer of a file (format/File.fbs), which ends at `to` of the window, and begins at `at` or after it. */
export function readFooter(bytes: Uint8Array, view: DataView, at: number, to: number, base: number): Footer {
  if (to - at < FILE_TAIL || !isFile(bytes, to - MAGIC.length))
    throw new DecodeError('truncated', 'the file ends before its footer', { offset: base + to });
  const length = view.getInt32(to - FILE_TAIL, true);
  const from = to - FILE_TAIL - length;
  const fail = (reason: string, position: number): never => {
    throw new DecodeError('malformed', `invalid footer: ${reason}`, { offset: base + from + Math.max(0, Math.min(position, length)) });
  };
  if (length < 0 || from < at) {
    throw new DecodeError('malformed', `a footer of ${length} bytes, where ${to - at - FILE_TAIL} are left`, { offset: base + to - FILE_TAIL });
  }
  // table Footer { version, schema, dictionaries, recordBatches, custom_metadata }
  const table = Table.root(bytes.subarray(from, from + length), fail);
  const blocks = (id: number): number[] => {
    const { from: first, length: count } = table.vector(id, BLOCK);
    return Array.from({ length: count }, (_, index) => Number(table.int64At(first + index * BLOCK)));
  };
  return { schema: table.table(1) ?? fail('the footer has no schema', 0), bytes: length, fail, from, dictionaries: blocks(2), batches: blocks(3) };
}

/** Position of the next word at `at` or after it that is not zero: some writers align messages to 64 bytes. */
export function skipPadding(view: DataView, at: number, to: number): number {
  let next = at;
  while (next + 8 <= to && view.getInt32(next, true) === 0 && view.getInt32(next + 4, true) === 0) next += 8;
  return next;
}

/** Codec of a record batch's buffers: 0 for LZ4 frames, 1 for Zstandard, undefined for none. */
export function codecOf(batch: Table): number | undefined {
  // table BodyCompression { codec, method }
  return batch.table(3)?.int8(0);
}

/** False if the first record batch in `head` shows that Zstandard is not used, or if that is no message at all. */
export function mayNeedZstd(head: Uint8Array): boolean {
  if (head.length < FILE_HEAD) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    let at = isFile(head, 0) ? skipPadding(view, FILE_HEAD, head.length) : 0;
    // Only the footer tells where the batches are.
    if (at > 0 && (at + 4 > head.length || !isMarked(view, at))) return true;
    for (;;) {
      const message = messageAt(head, view, at, head.length, 0);
      if (message === 'end') return false;
      if (typeof message === 'number') return true;
      const batch = message.type === DICTIONARY_BATCH ? message.header.table(1) : message.type === RECORD_BATCH ? message.header : undefined;
      if (batch) return codecOf(batch) === 1;
      at = message.bodyEnd;
    }
  } catch {
    // The reader reports the error.
    return false;
  }
}
