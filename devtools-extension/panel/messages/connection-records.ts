import type { Message } from '../../adapter/adapter.ts';
import type { SchemaInput } from '../../reading/protocol.ts';

type Structures = readonly (readonly string[] | undefined)[];

const NONE: Structures = [];
/** Structures that the messages before a message have defined. */
const known = new WeakMap<Message, Structures>();

/**
 * The record structures of msgpackr that earlier messages of a connection have defined, in the direction of a message: a
 * sender defines each one once. Undefined if there are none.
 */
export function connectionRecords(messages: readonly Message[], message: Message): SchemaInput | undefined {
  if (!known.has(message)) {
    const latest: Record<Message['direction'], Structures> = { sent: NONE, received: NONE };
    for (const each of messages) {
      const { direction } = each;
      const before = known.get(each) ?? latest[direction];
      known.set(each, before);
      latest[direction] = each.isText ? before : withDefinitions(before, each.bytes);
    }
  }
  const structures = known.get(message) ?? NONE;
  if (structures.length === 0) return undefined;
  return { name: 'records of the connection', format: 'messagepack', input: undefined, options: { structures }, isClaim: true };
}

/** First id of records. */
const FIRST_ID = 0x40;

/** Adds the structures that a message defines: `fixext 1, type 0x72, id`, then a list of keys. */
function withDefinitions(before: Structures, bytes: Uint8Array): Structures {
  let structures = before;
  for (let at = bytes.indexOf(0xd4); at >= 0; at = bytes.indexOf(0xd4, at + 1)) {
    const number = bytes[at + 2]! - FIRST_ID;
    if (bytes[at + 1] !== 0x72 || !(number >= 0 && number < FIRST_ID)) continue;
    const keys = keysAt(bytes, at + 3);
    if (!keys) continue;
    if (structures === before) structures = [...before];
    (structures as (readonly string[] | undefined)[])[number] = keys;
  }
  return structures;
}

/** A list of up to 15 or 65,535 short strings; undefined for anything else. */
function keysAt(bytes: Uint8Array, from: number): string[] | undefined {
  const isLong = bytes[from] === 0xdc;
  const count = isLong ? bytes[from + 1]! * 256 + bytes[from + 2]! : bytes[from]! ^ 0x90;
  let at = from + (isLong ? 3 : 1);
  if (!isLong && count > 15) return undefined;
  const keys: string[] = [];
  while (keys.length < count) {
    const head = bytes[at];
    const length = head === 0xd9 ? bytes[at + 1] : head !== undefined && head >= 0xa0 && head < 0xc0 ? head - 0xa0 : undefined;
    const start = at + (head === 0xd9 ? 2 : 1);
    if (length === undefined || start + length > bytes.length) return undefined;
    at = start + length;
    keys.push(new TextDecoder().decode(bytes.subarray(start, at)));
  }
  return keys;
}
