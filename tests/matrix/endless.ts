import type { FormatLine } from './formats.ts';
import { type Payload, payloadOf } from './payload.ts';
import { type Shape, valueFor } from './shapes.ts';

/** Bytes of a payload whose list may go on without end: a beginning, a part that any number of times follows, and an end. */
export interface Endless {
  /** `parts` is the number of parts that follow. */
  readonly head: (parts: number) => Uint8Array;
  readonly part: Uint8Array;
  readonly tail: Uint8Array;
}

/** The bytes of a list of `count` items; in a tree, `place` is the number of the list’s field among the lists. */
interface Written {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly place: number;
}

/** How the list of a format goes on, made from the bytes of a short one. */
export type Repeats = (written: Written) => Endless;

/** Items of a list: enough for the heads that are replaced, which have 16 bits for them. */
export const ITEMS = 600;

const NONE = new Uint8Array(0);
const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);

/** A sequence, or a message whose fields are merged. */
export const again: Repeats = ({ bytes }) => ({ head: () => NONE, part: bytes, tail: NONE });

export const jsonList: Repeats = ({ bytes }) => ({
  head: () => bytes.slice(0, -1),
  part: Uint8Array.of(...text(','), ...bytes.subarray(1, -1)),
  tail: text(']'),
});

/** The repeating part of an array whose type has a count of 32 bits. */
export function countedBy(type: number, isLittle = false): Repeats {
  return ({ bytes, count }) => ({ head: (parts) => countIn(Uint8Array.of(type), 1, parts * count, isLittle), part: bytes.subarray(3), tail: NONE });
}

/** The repeating part of `{ value: [...] }`: the lengths of the document and of the array. */
export const bsonList: Repeats = ({ bytes }) => ({
  head: (parts) => {
    const length = (bytes.length - 17) * parts;
    return joined(countIn(NONE, 0, length + 17, true), bytes.subarray(4, 11), countIn(NONE, 0, length + 5, true));
  },
  part: bytes.subarray(15, -2),
  tail: bytes.subarray(-2),
});

/** The repeating part of a field of a record: blocks of items, after a text and lists without bytes but one. */
export const avroField: Repeats = ({ bytes, place }) => ({
  head: () => bytes.subarray(0, 1 + place),
  part: bytes.subarray(1 + place, place - 4),
  tail: bytes.subarray(place - 4),
});

/** The repeating part of a container: blocks after the header, which ends with the bytes of each block’s end. */
export const avroBlocks: Repeats = ({ bytes }) => {
  const end = bytes.subarray(-16);
  let at = 16;
  while (!end.every((byte, index) => bytes[at - 16 + index] === byte)) at += 1;
  return { head: () => bytes.subarray(0, at), part: bytes.subarray(at), tail: NONE };
};

/** The repeating part of a message: its length, fields before the list, which each have 5 bytes, and the list. */
export const bebopField: Repeats = ({ bytes, count, place }) => {
  const [start, end] = [10 + 5 * place + 4, bytes.length - 1 - 5 * (3 - place)];
  return {
    head: (parts) =>
      joined(
        countIn(NONE, 0, start - 4 + (end - start) * parts + bytes.length - end, true),
        bytes.subarray(4, start - 4),
        countIn(NONE, 0, count * parts, true),
      ),
    part: bytes.subarray(start, end),
    tail: bytes.subarray(end),
  };
};

/** The repeating part of a stream: the schema, then messages, and the end. */
export const arrowBatches: Repeats = ({ bytes }) => {
  const at = 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  return { head: () => bytes.subarray(0, at), part: bytes.subarray(at, -8), tail: bytes.subarray(-8) };
};

/** The parts of a payload of a shape whose list goes on, each by its number; undefined if the format or the shape has none. */
export async function endlessOf(line: FormatLine, shape: Shape): Promise<Unending | undefined> {
  const list = listIn(line, shape);
  if (!list) return undefined;
  const partOf = ({ bytes }: Payload): Endless => line.repeats!({ bytes, ...list });
  const payload = await payloadOf(line, shape, ITEMS);
  const first = partOf(payload);
  const { part } = first;
  // A copy, which is the receiver’s.
  const next = async (at: number): Promise<Uint8Array<ArrayBuffer>> =>
    Uint8Array.from(shape.isAlwaysNew ? partOf(await payloadOf(line, shape, ITEMS, at * ITEMS)).part : part);
  return { ...first, payload, next };
}

/** A payload that goes on, with its next part. */
export interface Unending extends Endless {
  readonly payload: Payload;
  readonly next: (at: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** The list of a shape in a format that goes on; undefined without one. */
export function listIn(line: FormatLine, shape: Shape): { count: number; place: number } | undefined {
  if (!line.repeats || shape.raw?.[line.name]) return undefined;
  const value = valueFor(line, shape, ITEMS);
  if (value === undefined) return undefined;
  const lists = Array.isArray(value) ? [value] : Object.values(value as object).filter((inner): inner is unknown[] => Array.isArray(inner));
  const place = lists.findIndex(({ length }) => length > 0);
  if (place < 0) return undefined;
  const count = lists[place]!.length;
  // Items of sequences are as they are; other formats have a number of items before them.
  return line.repeats === again || line.holds.startsWith('lists') || count === ITEMS ? { count, place } : undefined;
}

/** A number of 32 bits after some bytes. */
function countIn(before: Uint8Array, at: number, count: number, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(at + 4);
  bytes.set(before);
  new DataView(bytes.buffer).setUint32(at, count, isLittle);
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
