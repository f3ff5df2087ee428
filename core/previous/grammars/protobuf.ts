import { keysOf } from '../../formats/protobuf/schema/names.ts';
import { I32, I64, LEN, MESSAGE, type ProtobufSchema, VARINT } from '../../formats/protobuf/schema/schema.ts';
import { type Grammar, UNCOUNTED, UNKNOWN, writeRanges } from './grammar.ts';

/** Bytes of the longest varint that is read here: tags and lengths are numbers of 32 bits. */
const VARINT_BYTES = 5;

/** The number of the last varint that was read, and the position after it. */
const varint = { value: 0, end: 0 };

/**
 * The root message of a schema of Protocol Buffers: its repeated fields of messages. All items of a list follow one another; each
 * begins with the field's tag and its length. Undefined if the root has no such field.
 */
export function protobufGrammar({ root, messages }: ProtobufSchema, options: object): Grammar | undefined {
  const message = messages[root]!;
  const keys = keysOf(message, (options as { names?: 'json' | 'proto' }).names ?? 'json', false, false);
  const names = new Map<number, string>();
  message.fields.forEach(({ number, repeated, type, ref }, index) => {
    if (repeated && type === MESSAGE && !messages[ref]!.mapEntry) names.set(number * 8 + LEN, keys[index]!);
  });
  if (names.size === 0) return undefined;

  return {
    hasHeads: false,
    rootList: (bytes, at) => names.get(read(bytes, at)),
    start: () => 0,
    endsAt: (bytes, at) => at === bytes.length,
    opens: () => false,
    /** Opens the list whose first item is at `at`. */
    open: (bytes, at) => ({ isList: true, at, end: -1, left: UNCOUNTED, last: bytes.length, tag: read(bytes, at) }),
    skip(bytes, skip) {
      skip.at = fieldEnd(bytes, skip.at);
      return true;
    },
    next(bytes, open, at) {
      const isNext = at < bytes.length && read(bytes, at) === open.tag;
      open.at = isNext ? at : -1;
      open.end = isNext ? -1 : at;
    },
    pass(bytes, open, count, at) {
      if (count > 0) this.next(bytes, open, at);
    },
    key() {
      throw UNKNOWN;
    },
    content: (_bytes, start) => start,
    endOf: (_bytes, _start, next) => next,
    mayEnd: () => true,
    frame: {
      levels: 1,
      isSequence: false,
      write: writeRanges,
      read: (value) => {
        for (const name of names.values()) {
          const list = (value as Record<string, unknown[] | undefined>)[name];
          if (list && list.length > 0) return list;
        }
        throw UNKNOWN;
      },
    },
  };
}

/** Position after the field at `at`. Groups are unknown. */
function fieldEnd(bytes: Uint8Array, at: number): number {
  const wire = read(bytes, at) & 7;
  let { end } = varint;
  if (wire === LEN) {
    const length = read(bytes, end);
    end = varint.end + length;
  } else if (wire === VARINT) {
    while (bytes[end]! >= 0x80) end += 1;
    end += 1;
  } else if (wire === I64) end += 8;
  else if (wire === I32) end += 4;
  else throw UNKNOWN;
  if (end > bytes.length) throw UNKNOWN;
  return end;
}

function read(bytes: Uint8Array, at: number): number {
  let value = 0;
  let scale = 1;
  for (let end = at; end < at + VARINT_BYTES && end < bytes.length; end += 1) {
    const byte = bytes[end]!;
    value += (byte & 127) * scale;
    if (byte < 0x80) {
      varint.end = end + 1;
      return value;
    }
    scale *= 128;
  }
  throw UNKNOWN;
}
