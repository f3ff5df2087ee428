import type { BinaryKind, RecordId, Sink, Tag } from '../reading/sink.ts';

/** Passes all events to another sink. A sink that changes some of them derives from it. It takes no rows, and no ranges of lists. */
export abstract class ForwardingSink implements Sink {
  protected readonly sink: Sink;
  /** Open tagged values. */
  protected tagged = 0;
  protected bytes: Uint8Array = new Uint8Array(0);
  protected view = new DataView(this.bytes.buffer);
  protected base = 0;
  readonly prefersText: boolean;
  checkText: Sink['checkText'];
  readonly flush: () => void;

  constructor(sink: Sink) {
    this.sink = sink;
    this.prefersText = sink.prefersText ?? false;
    this.flush = () => sink.flush?.();
  }

  /** Called before a value that is passed on, and before the path of an error. */
  protected abstract beforeValue(): void;

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
    this.sink.window(bytes, view, base);
  }

  null(start: number, end: number): void {
    this.beforeValue();
    this.sink.null(start, end);
  }

  undefined(start: number, end: number): void {
    this.beforeValue();
    this.sink.undefined(start, end);
  }

  boolean(value: boolean, start: number, end: number): void {
    this.beforeValue();
    this.sink.boolean(value, start, end);
  }

  integer(value: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.integer(value, start, end);
  }

  float(value: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.float(value, start, end);
  }

  bigint(value: bigint, start: number, end: number): void {
    this.beforeValue();
    this.sink.bigint(value, start, end);
  }

  string(start: number, from: number, end: number): void {
    this.beforeValue();
    this.sink.string(start, from, end);
  }

  text(value: string, start: number, end: number): void {
    this.checkText?.(value.length, start);
    this.beforeValue();
    this.sink.text(value, start, end);
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    this.beforeValue();
    this.sink.binary(kind, start, from, end);
  }

  date(milliseconds: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.date(milliseconds, start, end);
  }

  beginArray(count: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.beginArray(count, start, end);
  }

  endArray(end: number): void {
    this.sink.endArray(end);
  }

  beginSet(count: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.beginSet(count, start, end);
  }

  endSet(end: number): void {
    this.sink.endSet(end);
  }

  beginMap(count: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.beginMap(count, start, end);
  }

  endMap(end: number): void {
    this.sink.endMap(end);
  }

  beginTagged(tag: Tag, start: number, end: number): void {
    this.beforeValue();
    this.tagged += 1;
    this.sink.beginTagged(tag, start, end);
  }

  endTagged(end: number): void {
    this.tagged -= 1;
    this.sink.endTagged(end);
  }

  beginObject(count: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.beginObject(count, start, end);
  }

  endObject(end: number): void {
    this.sink.endObject(end);
  }

  key(start: number, from: number, end: number): void {
    this.sink.key(start, from, end);
  }

  keyText(value: string, start: number, end: number): void {
    this.sink.keyText(value, start, end);
  }

  defineRecord(keys: readonly string[], unused?: RecordId): RecordId {
    return this.sink.defineRecord(keys, unused);
  }

  beginRecord(record: RecordId, start: number, end: number): void {
    this.beforeValue();
    this.sink.beginRecord(record, start, end);
  }

  itemRecord(record: RecordId): void {
    this.beforeValue();
    this.sink.itemRecord?.(record);
  }

  field(index: number, start: number, end: number): void {
    this.sink.field(index, start, end);
  }

  endRecord(end: number): void {
    this.sink.endRecord(end);
  }

  anchor(id: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.anchor(id, start, end);
  }

  reference(id: number, start: number, end: number): void {
    this.beforeValue();
    this.sink.reference(id, start, end);
  }

  path(): (string | number)[] {
    this.beforeValue();
    return this.sink.path();
  }
}
