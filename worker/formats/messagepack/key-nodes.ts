import { isWellFormed } from '../../bytes/utf8.ts';

/** A key as it was met behind others: as MessagePack writes it, and what came behind it. */
export interface KeyNode {
  readonly key: string;
  /** Head and bytes, in words of four; undefined where the key is written like any other string. */
  readonly words: Int32Array | undefined;
  /** Bytes of head and key. */
  readonly length: number;
  /** The key that came next, the last time. */
  next: KeyNode | undefined;
  readonly others: Map<string, KeyNode>;
}

/** Keys in all, and bytes of one, that are kept. */
const MOST = 8_192;
const LONGEST = 127;

const encoder = new TextEncoder();

let count = 0;

/** Before the first key of an object. */
export const NO_KEYS: KeyNode = { key: '', words: undefined, length: 0, next: undefined, others: new Map() };
/** Behind a key that is not kept. */
const UNKNOWN: KeyNode = { key: '', words: undefined, length: 0, next: undefined, others: new Map() };

/** The node of a key behind `node`. */
export function followKey(node: KeyNode, key: string): KeyNode {
  if (node === UNKNOWN) return UNKNOWN;
  const known = node.others.get(key);
  if (known !== undefined) return (node.next = known);
  if (count === MOST || key.length > LONGEST || !isWellFormed(key)) return UNKNOWN;
  const bytes = encoder.encode(key);
  const head = bytes.length < 32 ? [0xa0 | bytes.length] : bytes.length < 0x100 ? [0xd9, bytes.length] : [0xda, bytes.length >> 8, bytes.length & 0xff];
  const length = head.length + bytes.length;
  const view = new DataView(new ArrayBuffer((length + 3) & ~3));
  for (const [at, byte] of [...head, ...bytes].entries()) view.setUint8(at, byte);
  const words = Int32Array.from({ length: view.byteLength / 4 }, (_, word) => view.getInt32(word * 4, true));
  const made: KeyNode = { key, words, length, next: undefined, others: new Map() };
  count += 1;
  node.others.set(key, made);
  return (node.next = made);
}
