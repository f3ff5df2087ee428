import { LimitError } from '../../../core/errors.ts';
import type { Beside } from '../../../core/reading/sink-methods.ts';
import type { Tag } from '../../../core/reading/sink.ts';
import type { SpanSetting } from '../../../core/format/facts.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanData } from '../../../core/sinks/spans/tree.ts';
import { SpanSink } from '../../../core/sinks/spans/spans.ts';
import { BesideList } from './beside.ts';

/** Maximum number of values in a tree; each takes 35 bytes. */
export const MAX_VALUES = 12_000_000;
/** Maximum number of items to allocate for on a declared count. */
const MAX_ROOM = 1 << 20;

/** Tag for CBOR tags unknown to the reader, and the parts it is sent in. */
const PLAIN_TAG = 'cbor:tag';
const NONE = 0;
const LIST = 1;
const NUMBER = 2;

/** Sink with a limited tree size, for bodies that may contain several payloads and their framing. */
export class ShellSink extends SpanSink {
  /** Offset of the payload in the body. */
  shift = 0;
  /** Types of framing entries. */
  readonly shell = new Map<number, string>();
  /** Entries of payloads. */
  readonly roots = new Set<number>();
  readonly #beside = new BesideList();
  #values = 0;
  /** Entries of unknown tags, and the next part of the current one. */
  readonly #plainTags = new Set<number>();
  #tagPart = NONE;
  #isRoot = false;

  constructor(length: number, setting: SpanSetting = {}) {
    super(length, setting);
  }

  /** An unknown tag arrives as a list of its number and content, and is shown around its content. */
  override beginTagged(tag: Tag, start: number, end: number): void {
    super.beginTagged(tag, start, end);
    if (tag !== PLAIN_TAG) return;
    this.#plainTags.add(this.open);
    this.#tagPart = LIST;
  }

  override beginArray(count: number, start: number, end: number): void {
    if (this.#tagPart === LIST) this.#tagPart = NUMBER;
    else super.beginArray(count, start, end);
  }

  override endArray(end: number): void {
    if (!this.#plainTags.has(this.open)) super.endArray(end);
  }

  override integer(value: number, start: number, end: number): void {
    if (this.#tagPart === NUMBER) this.#takeTag(value);
    else super.integer(value, start, end);
  }

  override bigint(value: bigint, start: number, end: number): void {
    if (this.#tagPart === NUMBER) this.#takeTag(value);
    else super.bigint(value, start, end);
  }

  #takeTag(number: number | bigint): void {
    this.#tagPart = NONE;
    this.storedValues.set(this.open, `tag ${number}`);
  }

  override window(bytes: Uint8Array, view: DataView, base: number): void {
    super.window(bytes, view, base < 0 ? base : base + this.shift);
  }

  beside(kind: Beside, start: number, length: number): void {
    if (this.base >= 0) this.#beside.add(kind, this.place(start), length);
  }

  override finish(reached?: number): SpanData {
    const data = super.finish(reached);
    return { ...data, beside: this.#beside.finish(data.count) };
  }

  /** Marks the next value as a payload. */
  beginRoot(): void {
    this.#isRoot = true;
  }

  /** Closes open containers up to `node`, after a reader stopped midway. */
  closeTo(node: number, end: number): void {
    while (this.open !== node && this.open > 0) this.end(end);
  }

  /** Names an entry outside the payload's format. */
  name(node: number, type: string): void {
    this.shell.set(node, type);
  }

  /** Adds literal text. */
  shellText(value: string, start: number, end: number): number {
    const node = this.add(is.TEXT, start, end);
    this.storedValues.set(node, value);
    return node;
  }

  shellNumber(value: number, start: number, end: number): number {
    const node = this.add(is.INTEGER, start, end);
    this.numbers[node] = value;
    return node;
  }

  shellContainer(kind: number, start: number): number {
    return this.begin(kind, start, start, -1);
  }

  shellEnd(end: number): void {
    this.end(end);
  }

  protected override add(kind: number, start: number, end: number): number {
    this.#values += 1;
    if (this.#values > MAX_VALUES) {
      throw new LimitError('values', `the panel shows at most ${MAX_VALUES.toLocaleString('en')} values`, {
        offset: this.place(start),
      });
    }
    const node = super.add(kind, start, end);
    this.#beside.settle(node);
    if (this.#isRoot) {
      this.roots.add(node);
      this.#isRoot = false;
    }
    return node;
  }

  protected override begin(kind: number, start: number, end: number, count: number): number {
    return super.begin(kind, start, end, Math.min(count, MAX_ROOM));
  }
}
