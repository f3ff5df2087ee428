import { internKey } from '../../bytes/text/key-cache.ts';
import { decodeUtf8 } from '../../bytes/text/text.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../../reading/sink.ts';
import type { SpanSetting } from '../../format/facts.ts';
import { SpanBuilder } from './builder.ts';
import * as is from './tree.ts';
import { NONE } from './tree.ts';

const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Builds a tree of the positions of values, for tools that show the bytes. The whole body must be pushed at once.
 * `finish` returns the tree, even after the reader has thrown: then the tree ends at the error.
 */
export class SpanSink extends SpanBuilder implements Sink {
  readonly #body: Uint8Array | undefined;
  #bytes = NO_BYTES;
  readonly #records: number[][] = [];

  constructor(length: number, setting: SpanSetting = {}) {
    super(length, setting);
    this.#body = setting.body;
  }

  window(bytes: Uint8Array, _view: DataView, base: number): void {
    this.#bytes = bytes;
    this.base = this.#body !== undefined && base >= 0 && !isPart(bytes, this.#body, base) ? -1 : base;
  }

  between(start: number, end: number): void {
    this.settle(this.place(start));
    if (!this.scattered) this.cursor = Math.max(this.cursor, this.place(end));
  }

  null(start: number, end: number): void {
    this.add(is.NULL, start, end);
  }

  undefined(start: number, end: number): void {
    this.add(is.UNDEFINED, start, end);
  }

  boolean(value: boolean, start: number, end: number): void {
    this.add(value ? is.TRUE : is.FALSE, start, end);
  }

  integer(value: number, start: number, end: number): void {
    this.#addNumber(is.INTEGER, value, start, end);
  }

  float(value: number, start: number, end: number): void {
    this.#addNumber(is.FLOAT, value, start, end);
  }

  bigint(value: bigint, start: number, end: number): void {
    this.storedValues.set(this.add(is.BIGINT, start, end), value);
  }

  string(start: number, from: number, end: number): void {
    if (this.base < 0) {
      this.storedValues.set(this.add(is.TEXT, start, end), decodeUtf8(this.#bytes, from, end, -1));
    } else if (this.setting.isElsewhere?.(this.#bytes[start]!)) {
      const text = decodeUtf8(this.#bytes, from, end, this.base);
      const node = this.add(is.TEXT, start, start + 1);
      this.pending = node;
      this.storedValues.set(node, text);
      this.elsewhere.set(node, [this.base + from, this.base + end]);
    } else {
      const node = this.add(is.STRING, start, end + this.tail);
      this.setHead(node, from);
    }
  }

  text(value: string, start: number, end: number): void {
    const node = this.add(is.TEXT, start, end);
    if (this.setting.rereadText !== true) this.storedValues.set(node, value);
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    const copy = this.base < 0 ? this.#bytes.slice(from, end) : undefined;
    const node = this.add(is.BINARY, start, end);
    this.numbers[node] = kind;
    if (copy) this.storedValues.set(node, copy);
    else this.setHead(node, from);
  }

  date(milliseconds: number, start: number, end: number): void {
    this.#addNumber(is.DATE, milliseconds, start, end);
  }

  beginArray(count: number, start: number, end: number): void {
    this.begin(is.ARRAY, start, end, count);
  }

  endArray(end: number): void {
    this.end(end);
  }

  beginSet(count: number, start: number, end: number): void {
    this.begin(is.SET, start, end, count);
  }

  endSet(end: number): void {
    this.end(end);
  }

  beginObject(count: number, start: number, end: number): void {
    this.begin(is.OBJECT, start, end, count);
  }

  endObject(end: number): void {
    this.end(end);
  }

  key(start: number, from: number, end: number): void {
    const name = internKey(this.#bytes, from, end, this.base);
    if (this.base < 0 || this.setting.isElsewhere?.(this.#bytes[start]!)) this.takeKey(name, start, start + 1);
    else this.takeKey(name, start, end + this.tail);
  }

  keyText(value: string, start: number, end: number): void {
    this.takeKey(value, start, end);
  }

  defineRecord(keys: readonly string[]): RecordId {
    return this.#records.push(keys.map((key) => this.nameNumber(key))) - 1;
  }

  beginRecord(record: RecordId, start: number, end: number): void {
    const node = this.begin(is.RECORD, start, end, -1);
    this.storedValues.set(node, String(record));
  }

  field(index: number, start: number, end: number): void {
    const record = Number(this.storedValues.get(this.open));
    const from = this.place(start);
    this.settle(from);
    this.nextKey = this.#records[record]![index]!;
    this.keyStart = this.prefixes && !this.scattered ? this.cursor : from;
    this.cursor = this.scattered ? 0 : Math.max(this.place(end), this.cursor);
  }

  endRecord(end: number): void {
    this.storedValues.delete(this.open);
    this.end(end);
  }

  beginMap(count: number, start: number, end: number): void {
    this.begin(is.MAP, start, end, count);
  }

  endMap(end: number): void {
    this.end(end);
  }

  beginTagged(tag: Tag, start: number, end: number): void {
    this.storedValues.set(this.begin(is.TAGGED, start, end, -1), tag);
  }

  endTagged(end: number): void {
    this.end(end);
  }

  anchor(id: number, start: number): void {
    this.anchorNext(id, this.place(start));
  }

  reference(id: number, start: number, end: number): void {
    this.#addNumber(is.REFERENCE, this.anchors.get(id) ?? 0, start, end);
  }

  path(): (string | number)[] {
    const path: (string | number)[] = [];
    if (this.nextKey !== NONE) path.push(this.names[this.nextKey]!);
    else if (this.open > 0 && this.kinds[this.open]! < is.OBJECT) path.push(this.numbers[this.open]!);
    for (let node = this.open; node > 1; node = this.parents[node]!) {
      const kind = this.kinds[this.parents[node]!]!;
      const key = this.keys[node]!;
      path.push(kind === is.OBJECT || kind === is.RECORD ? this.names[key]! : key);
    }
    return path.reverse();
  }

  #addNumber(kind: number, value: number, start: number, end: number): void {
    const node = this.add(kind, start, end);
    // Set after the call, in which the columns may grow.
    this.numbers[node] = value;
  }
}

/** True if a window begins like the body at its offset. */
function isPart(bytes: Uint8Array, body: Uint8Array, base: number): boolean {
  const length = Math.min(64, bytes.length, body.length - base);
  for (let i = 0; i < length; i += 1) {
    if (bytes[i] !== body[base + i]) return false;
  }
  return true;
}
