import { isWellFormed } from '../bytes/text/utf8.ts';

/** A key as it was met behind others: as the format writes it, and what came behind it. */
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

/** The keys of one format, as they came behind one another: most objects have keys that others had, in the same order. */
export class KeyNodes {
  /** Before the first key of an object. */
  readonly none = newNode('', undefined, 0);
  /** Behind a key that is not kept. */
  readonly #unknown = newNode('', undefined, 0);
  #count = 0;
  readonly #head: (bytes: number) => readonly number[];
  readonly #tail: readonly number[];

  /** `head` gives the bytes that come before a key of so many bytes, `tail` are those that come behind each. */
  constructor(head: (bytes: number) => readonly number[], tail: readonly number[] = []) {
    this.#head = head;
    this.#tail = tail;
  }

  /** The node of a key behind `node`. */
  follow(node: KeyNode, key: string): KeyNode {
    if (node === this.#unknown) return node;
    const known = node.others.get(key);
    if (known !== undefined) return (node.next = known);
    if (this.#count === MOST || key.length > LONGEST || key.includes('\0') || !isWellFormed(key)) return this.#unknown;
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
