import { decodeUtf8 } from '../../bytes/text/text.ts';
import type { RecordId, Sink } from '../../reading/sink.ts';

type Container = unknown[] | Map<unknown, unknown> | Record<string, unknown>;

/**
 * Makes the plain value of a message in an Any: objects, arrays and Maps. Takes the events that readers of messages send with
 * `maps: 'map'` alone, and is much smaller than the sink of objects.
 */
export class PlainSink implements Sink {
  result: unknown;
  readonly #records: (readonly string[])[] = [];
  /** The open containers, with the keys of records, and the next key. */
  readonly #open: { container: Container; keys: readonly string[] | undefined; key: unknown; hasKey: boolean }[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #base = 0;

  window(bytes: Uint8Array, _view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#base = base;
  }

  null(): void {
    this.#put(null);
  }

  undefined(): void {
    this.#put(undefined);
  }

  boolean(value: boolean): void {
    this.#put(value);
  }

  integer(value: number): void {
    this.#put(value);
  }

  float(value: number): void {
    this.#put(value);
  }

  bigint(value: bigint): void {
    this.#put(value);
  }

  string(_start: number, from: number, end: number): void {
    this.#put(decodeUtf8(this.#bytes, from, end, this.#base));
  }

  text(value: string): void {
    this.#put(value);
  }

  binary(_kind: number, _start: number, from: number, end: number): void {
    this.#put(this.#bytes.slice(from, end));
  }

  date(milliseconds: number): void {
    this.#put(new Date(milliseconds));
  }

  beginArray(): void {
    this.#begin([]);
  }

  endArray(): void {
    this.#end();
  }

  beginMap(): void {
    this.#begin(new Map());
  }

  endMap(): void {
    this.#end();
  }

  defineRecord(keys: readonly string[], unused: RecordId = this.#records.length): RecordId {
    this.#records[unused] = keys;
    return unused;
  }

  beginRecord(record: RecordId): void {
    this.#begin({}, this.#records[record]);
  }

  field(index: number): void {
    const top = this.#open.at(-1)!;
    top.key = top.keys![index];
  }

  endRecord(): void {
    this.#end();
  }

  path(): (string | number)[] {
    const path: (string | number)[] = [];
    for (const { container, key } of this.#open) {
      if (Array.isArray(container)) path.push(container.length);
      else if (key !== undefined) path.push(key as string | number);
    }
    return path;
  }

  beginSet(): void {
    this.#refuse();
  }

  endSet(): void {
    this.#refuse();
  }

  beginObject(): void {
    this.#refuse();
  }

  endObject(): void {
    this.#refuse();
  }

  key(): void {
    this.#refuse();
  }

  keyText(): void {
    this.#refuse();
  }

  beginTagged(): void {
    this.#refuse();
  }

  endTagged(): void {
    this.#refuse();
  }

  anchor(): void {
    this.#refuse();
  }

  reference(): void {
    this.#refuse();
  }

  #begin(container: Container, keys?: readonly string[]): void {
    this.#put(container);
    this.#open.push({ container, keys, key: undefined, hasKey: false });
  }

  #end(): void {
    this.#open.pop();
  }

  #put(value: unknown): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.result = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else if (top.container instanceof Map) {
      if (top.hasKey) top.container.set(top.key, value);
      else top.key = value;
      top.hasKey = !top.hasKey;
    } else Object.defineProperty(top.container, top.key as string, { value, enumerable: true, configurable: true, writable: true });
  }

  #refuse(): never {
    throw new TypeError('the value of an Any holds what messages lack');
  }
}
