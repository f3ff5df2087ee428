import { isWellFormed } from '../bytes/text/utf8.ts';

/** A key in the context of the keys before it, as the format writes it, with the key that followed it last. */
export interface KeyNode {
  readonly key: string;
  /** Head and bytes, in words of four bytes; undefined if the key is written like any other string. */
  readonly words: Int32Array | undefined;
  /** Bytes of head and key. */
  readonly length: number;
  /** The key that followed it last time. */
  next: KeyNode | undefined;
  readonly others: Map<string, KeyNode>;
}

/** Limits on the number of remembered keys, and on the bytes of one. */
const MAX_COUNT = 8_192;
const MAX_LENGTH = 127;

const encoder = new TextEncoder();

/**
 * The keys of one format in the order in which they follow one another: most objects have the same keys as earlier
 * ones, in the same order.
 */
export class KeyNodes {
  /** The node before the first key of an object. */
  readonly none = newNode('', undefined, 0);
  /** The node after a key that is not remembered. */
  readonly #unknown = newNode('', undefined, 0);
  #count = 0;
  readonly #head: (bytes: number) => readonly number[];
  readonly #tail: readonly number[];

  /** `head` returns the bytes before a key of `bytes` bytes; `tail` are the bytes after each key. */
  constructor(head: (bytes: number) => readonly number[], tail: readonly number[] = []) {
    this.#head = head;
    this.#tail = tail;
  }

  /** The node of a key that follows `node`. */
  follow(node: KeyNode, key: string): KeyNode {
    if (node === this.#unknown) return node;
    const known = node.others.get(key);
    if (known !== undefined) return (node.next = known);
    if (this.#count === MAX_COUNT || key.length > MAX_LENGTH || key.includes('\0') || !isWellFormed(key)) return this.#unknown;
    const bytes = encoder.encode(key);
    const head = this.#head(bytes.length);
    const length = head.length + bytes.length + this.#tail.length;
    const view = new DataView(new ArrayBuffer((length + 3) & ~3));
    for (const [at, byte] of [...head, ...bytes, ...this.#tail].entries()) view.setUint8(at, byte);
    const words = Int32Array.from({ length: view.byteLength / 4 }, (_, word) => view.getInt32(word * 4, true));
    const made = newNode(key, words, length);
    this.#count += 1;
    node.others.set(key, made);
    return (node.next = made);
  }
}

function newNode(key: string, words: Int32Array | undefined, length: number): KeyNode {
  return { key, words, length, next: undefined, others: new Map() };
}
