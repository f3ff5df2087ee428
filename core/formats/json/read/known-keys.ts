import { hashRange } from '../../../bytes/hash.ts';
import type { KeyList } from '../../../reading/sink-methods.ts';
import { validateUtf8 } from '../../../bytes/text/text.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of the longest key that is remembered. */
const MAX_BYTES = 128;
/** Documents with more keys than this rarely repeat them. */
const MAX_KEYS = 512;
/** Slots probed per lookup, which bounds the cost of keys chosen to collide. */
const PROBES = 8;
/** How far unexpected keys may outnumber expected ones before lookups stop. */
const PATIENCE = 4096;

/** An entry of `KnownKeys.table` is an index shifted by this, and has the words below. */
export const ENTRY_BITS = 2;
/** Bytes that the key takes as written. */
export const LENGTH = 0;
/** Its first word in `words`. */
export const WORDS = 1;
/** The entry that last followed it; 0 for none. */
export const FOLLOWER = 2;

/**
 * Keys as written, from after the brace or comma up to the value: white space, the key in quotation marks, the colon. A
 * key is often followed by the same key as last time: it is then recognised by comparing words of 4 bytes, and sent to
 * the sink by its number. A key written in several ways has several numbers.
 */
export class KnownKeys implements KeyList {
  /** Four words per key, the last unused. Entry 0 stands for the beginning of the input. */
  table = new Int32Array(32 << ENTRY_BITS);
  /** The keys as written. The last word of each overlaps the one before if the length is no multiple of 4. */
  words = new Int32Array(256);
  /** The entry of the latest key. */
  last = 0;
  view = new DataView(new ArrayBuffer(256));
  /** Start and end of each key in `view`, and its text once it has been asked for. */
  #ranges = new Int32Array(2 * 32);
  readonly #texts: (string | undefined)[] = [];
  #count = 1;
  #usedWords = 0;
  #usedBytes = 0;
  /** Hash table of entries. */
  readonly #slots = new Int32Array(2 * MAX_KEYS);
  #patience = PATIENCE;

  text(index: number): string {
    return (this.#texts[index] ??= decoder.decode(new Uint8Array(this.view.buffer, this.start(index), this.end(index) - this.start(index))));
  }

  start(index: number): number {
    return this.#ranges[2 * index]!;
  }

  end(index: number): number {
    return this.#ranges[2 * index + 1]!;
  }

  /** Records that the keys arrived as expected. */
  confirm(): void {
    if (this.#patience < PATIENCE) this.#patience += 1;
  }

  /**
   * Records a key, written in `start..stop` with its own bytes in `from..to`, that was not the expected one. It is
   * expected next time.
   */
  learn(bytes: Uint8Array, view: DataView, start: number, from: number, to: number, stop: number): void {
    if (this.#patience === 0 || stop - start > MAX_BYTES) return;
    this.#patience -= 1;
    const entry = this.#find(view, start, stop) || this.#add(bytes, view, start, from, to, stop);
    if (entry === 0) return;
    this.table[this.last + FOLLOWER] = entry;
    this.last = entry;
  }

  #find(view: DataView, start: number, stop: number): number {
    const slots = this.#slots;
    const hash = hashRange(view, start, stop);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const entry = slots[(hash + probe) & (slots.length - 1)]!;
      if (entry === 0 || this.#is(entry, view, start, stop)) return entry;
    }
    return 0;
  }

  #is(entry: number, view: DataView, start: number, stop: number): boolean {
    const { table, words } = this;
    if (table[entry + LENGTH] !== stop - start) return false;
    let word = table[entry + WORDS]!;
    for (let at = start; at < stop - 4; at += 4, word += 1) if (view.getInt32(at, true) !== words[word]) return false;
    return view.getInt32(stop - 4, true) === words[word];
  }

  #add(bytes: Uint8Array, view: DataView, start: number, from: number, to: number, stop: number): number {
    if (this.#count === MAX_KEYS || validateUtf8(bytes, from, to) >= 0) return 0;
    const slots = this.#slots;
    const hash = hashRange(view, start, stop);
    let probe = 0;
    while (probe < PROBES && slots[(hash + probe) & (slots.length - 1)] !== 0) probe += 1;
    if (probe === PROBES) return 0;

    this.#makeRoom();
    const index = this.#count++;
    const entry = index << ENTRY_BITS;
    slots[(hash + probe) & (slots.length - 1)] = entry;
    this.table[entry + LENGTH] = stop - start;
    this.table[entry + WORDS] = this.#usedWords;
    for (let at = start; at < stop - 4; at += 4) this.words[this.#usedWords++] = view.getInt32(at, true);
    this.words[this.#usedWords++] = view.getInt32(stop - 4, true);
    new Uint8Array(this.view.buffer).set(bytes.subarray(from, to), this.#usedBytes);
    this.#ranges[2 * index] = this.#usedBytes;
    this.#usedBytes += to - from;
    this.#ranges[2 * index + 1] = this.#usedBytes;
    return entry;
  }

  /** Makes room for one more key. */
  #makeRoom(): void {
    if ((this.#count + 1) << ENTRY_BITS > this.table.length) {
      this.table = grown(this.table);
      this.#ranges = grown(this.#ranges);
    }
    if (this.#usedWords + MAX_BYTES / 4 > this.words.length) this.words = grown(this.words);
    if (this.#usedBytes + MAX_BYTES > this.view.byteLength) {
      const bytes = new Uint8Array(this.view.byteLength * 2);
      bytes.set(new Uint8Array(this.view.buffer));
      this.view = new DataView(bytes.buffer);
    }
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const doubled = new Int32Array(array.length * 2);
  doubled.set(array);
  return doubled;
}
