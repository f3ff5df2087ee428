import { LimitError } from '../../errors.ts';
import { internKey } from '../../bytes/text/key-cache.ts';
import type { Revive } from '../../reading/revive.ts';
import { JsonOutput } from './output.ts';
import { type JsonTextOptions, stringifyValue, toBase64 } from './values.ts';
import { makeBinary } from '../../reading/binary.ts';
import { type Limits, resolveLimits } from '../../limits.ts';
import { SharedExpansion } from '../shared-expansion.ts';
import { ObjectSink } from '../objects/objects.ts';
import type { BinaryKind, Events, RecordId, Tag } from '../../reading/sink.ts';

/** What the next value is. */
type Place = 0 | 1 | 2;
const ROOT: Place = 0;
const ITEM: Place = 1;
const PROPERTY: Place = 2;

/** Keys whose text is kept. */
const MOST_KEYS = 4096;
/** Characters of a record's key from which on it counts each time that it is written: it stands once in the input. */
const LONG_KEY = 256;
/** The tag in which the sink of objects gets a value that it is to give back. */
const CAPTURE = 'json-text:value';

const COMMA = 0x2c;
const encoder = new TextEncoder();
const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Writes the value as JSON text while it is read, with no object in between: strings go over as bytes. What JSON has not
 * becomes what `JSON.stringify` makes of it, but for binary values (text in base64), sets (lists), maps (objects) and
 * integers of any size (`JsonTextOptions.bigints`). Maps, values of tags, and values that others refer to are built as
 * objects first, one by one.
 */
export class JsonTextSink implements Events {
  readonly #out = new JsonOutput();
  #bytes = NO_BYTES;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #base = 0;
  #place: Place = ROOT;
  /** Items or properties of the open container so far. */
  #count = 0;
  #key = '';
  /** Of the containers outside the open one: place, count and key. */
  readonly #outer: (number | string)[] = [];
  /** Where the property begins whose value comes next, which is dropped where that is undefined; −1 elsewhere. */
  #pending = -1;
  readonly #keys = new Map<string, Uint8Array>();
  readonly #records: (readonly string[])[] = [];
  #fields: readonly string[] = [];
  readonly #outerFields: (readonly string[])[] = [];
  readonly #options: JsonTextOptions;
  readonly #revive: Revive | undefined;
  /** Builds what cannot be written at once; the containers that it has open, −1 while it has no value. */
  #builder: ObjectSink | undefined;
  #depth = -1;
  #captured: unknown;
  readonly #limits: Limits;
  /** There from the first reference on. */
  #expansion: SharedExpansion | undefined;
  /** Offset of the last reference. */
  #referred: number | undefined;

  /** `revive` makes the values of the format's own tags. */
  constructor(revive?: Revive, options: JsonTextOptions = {}, limits: Limits = resolveLimits()) {
    this.#revive = revive;
    this.#options = options;
    this.#limits = limits;
  }

  /** Takes the text so far, as far as it stands; undefined where there is none. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const text = this.#out.take(this.#pending < 0 ? this.#out.length : this.#pending);
    if (text !== undefined && this.#pending >= 0) this.#pending = 0;
    return text;
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#base = base;
    this.#builder?.window(bytes, view, base);
  }

  null(): void {
    if (this.#depth >= 0) this.#built((builder) => builder.null());
    else this.#ascii('null');
  }

  undefined(): void {
    if (this.#depth >= 0) this.#built((builder) => builder.undefined());
    else if (this.#place === PROPERTY) {
      this.#out.length = this.#pending;
      this.#pending = -1;
      this.#count -= 1;
    } else this.#ascii('null');
  }

  boolean(value: boolean): void {
    if (this.#depth >= 0) this.#built((builder) => builder.boolean(value));
    else this.#ascii(value ? 'true' : 'false');
  }

  integer(value: number): void {
    if (this.#depth >= 0) this.#built((builder) => builder.integer(value));
    else this.#ascii(String(value));
  }

  float(value: number): void {
    if (this.#depth >= 0) this.#built((builder) => builder.float(value));
    else this.#ascii(Number.isFinite(value) ? String(value) : 'null');
  }

  bigint(value: bigint): void {
    if (this.#depth >= 0) this.#built((builder) => builder.bigint(value));
    else this.#ascii(this.#options.bigints === 'string' ? `"${value}"` : String(value));
  }

  string(start: number, from: number, end: number): void {
    if (this.#depth >= 0) {
      this.#built((builder) => builder.string(start, from, end));
      return;
    }
    this.#separate();
    this.#out.utf8(this.#bytes, from, end, this.#base);
    // Not before: the path of its error names the key.
    this.#pending = -1;
  }

  text(value: string): void {
    if (this.#depth >= 0) this.#built((builder) => builder.text(value));
    else {
      this.#begin();
      this.#out.append(encoder.encode(JSON.stringify(value)));
    }
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    if (this.#depth >= 0) this.#built((builder) => builder.binary(kind, start, from, end));
    else {
      this.#ascii(`"${toBase64(makeBinary(kind, this.#bytes, from, end))}"`);
    }
  }

  date(milliseconds: number): void {
    if (this.#depth >= 0) this.#built((builder) => builder.date(milliseconds));
    else this.#ascii(JSON.stringify(new Date(milliseconds)));
  }

  beginArray(count: number): void {
    if (this.#depth >= 0) this.#opened((builder) => builder.beginArray(count));
    else this.#open(ITEM, 0x5b);
  }

  endArray(): void {
    if (this.#depth >= 0) this.#closed((builder) => builder.endArray());
    else this.#close(0x5d);
  }

  beginSet(): void {
    if (this.#depth >= 0) this.#opened((builder) => builder.beginSet());
    else this.#open(ITEM, 0x5b);
  }

  endSet(): void {
    if (this.#depth >= 0) this.#closed((builder) => builder.endSet());
    else this.#close(0x5d);
  }

  beginObject(): void {
    if (this.#depth >= 0) this.#opened((builder) => builder.beginObject());
    else this.#open(PROPERTY, 0x7b);
  }

  endObject(): void {
    if (this.#depth >= 0) this.#closed((builder) => builder.endObject());
    else this.#close(0x7d);
  }

  key(start: number, from: number, end: number): void {
    if (this.#depth >= 0) this.#builder!.key(start, from, end);
    else this.keyText(internKey(this.#bytes, from, end, this.#base));
  }

  keyText(value: string): void {
    if (this.#depth >= 0) {
      this.#builder!.keyText(value);
      return;
    }
    this.#key = value;
    this.#pending = this.#out.length;
    if (this.#count++ > 0) this.#out.byte(COMMA);
    let text = this.#keys.get(value);
    if (!text) {
      text = encoder.encode(`${JSON.stringify(value)}:`);
      if (this.#keys.size < MOST_KEYS) this.#keys.set(value, text);
    }
    this.#out.append(text);
  }

  defineRecord(keys: readonly string[]): RecordId {
    this.#builder?.defineRecord(keys);
    return this.#records.push(keys) - 1;
  }

  beginRecord(record: RecordId): void {
    if (this.#depth >= 0) {
      this.#opened((builder) => builder.beginRecord(record));
      return;
    }
    this.#open(PROPERTY, 0x7b);
    this.#outerFields.push(this.#fields);
    this.#fields = this.#records[record]!;
  }

  field(index: number, start: number): void {
    if (this.#depth >= 0) this.#builder!.field(index);
    else {
      const key = this.#fields[index]!;
      if (key.length > LONG_KEY) this.#expansionAt(start).spend(key.length);
      this.keyText(key);
    }
  }

  endRecord(): void {
    if (this.#depth >= 0) {
      this.#closed((builder) => builder.endRecord());
      return;
    }
    this.#fields = this.#outerFields.pop()!;
    this.#close(0x7d);
  }

  beginMap(): void {
    this.#capture();
    this.#opened((builder) => builder.beginMap());
  }

  endMap(): void {
    this.#closed((builder) => builder.endMap());
  }

  beginTagged(tag: Tag): void {
    this.#capture();
    this.#opened((builder) => builder.beginTagged(tag));
  }

  endTagged(end: number): void {
    this.#closed((builder) => builder.endTagged(end));
  }

  anchor(id: number): void {
    this.#capture();
    this.#builder!.anchor(id);
  }

  reference(id: number, start: number): void {
    this.#expansionAt(start);
    this.#capture();
    this.#built((builder) => builder.reference(id, start));
  }

  path(): (string | number)[] {
    const path: (string | number)[] = [];
    const add = (place: Place, count: number, key: string): void => {
      if (place === ITEM) path.push(count);
      else if (place === PROPERTY && key) path.push(key);
    };
    for (let at = 3; at < this.#outer.length; at += 3) {
      const [place, count, key] = this.#outer.slice(at, at + 3) as [Place, number, string];
      // It counts the container that is open in it.
      add(place, count - 1, key);
    }
    // After its value, a key is not that of what comes next.
    add(this.#place, this.#count, this.#pending >= 0 ? this.#key : '');
    return path;
  }

  /** From here on, the sink of objects gets the events, until its value is whole. */
  #capture(): void {
    if (this.#depth >= 0) return;
    if (!this.#builder) {
      this.#builder = new ObjectSink((tag, inner) => (tag === CAPTURE ? (this.#captured = inner) : this.#revive?.(tag, inner)));
      this.#builder.beginArray(-1);
      for (const keys of this.#records) this.#builder.defineRecord(keys);
      this.#builder.window(this.#bytes, this.#view, this.#base);
    }
    this.#builder.beginTagged(CAPTURE);
    this.#depth = 0;
  }

  #built(build: (builder: ObjectSink) => void): void {
    build(this.#builder!);
    if (this.#depth === 0) this.#release();
  }

  #opened(open: (builder: ObjectSink) => void): void {
    open(this.#builder!);
    this.#depth += 1;
  }

  #closed(close: (builder: ObjectSink) => void): void {
    close(this.#builder!);
    this.#depth -= 1;
    if (this.#depth === 0) this.#release();
  }

  /** Writes the value that the sink of objects has built. */
  #release(): void {
    this.#captured = undefined;
    this.#builder!.endTagged(0);
    this.#depth = -1;
    if (this.#expansion !== undefined) this.#countShared(this.#expansion);
    const json = stringifyValue(this.#captured, this.#options);
    this.#captured = undefined;
    if (json === undefined) {
      this.undefined();
      return;
    }
    this.#begin();
    this.#out.append(encoder.encode(json));
  }

  /** What counts what is written again, once the input has come to `start` in the window. */
  #expansionAt(start: number): SharedExpansion {
    this.#expansion ??= new SharedExpansion(this.#limits);
    if (this.#base >= 0) {
      this.#referred = this.#base + start;
      this.#expansion.receive(this.#referred);
    }
    return this.#expansion;
  }

  /** Counts the value that the sink of objects has built, where parts of it may be in several places. */
  #countShared(expansion: SharedExpansion): void {
    try {
      expansion.count(this.#captured);
    } catch (error) {
      if (error instanceof LimitError) error.path = [...this.path(), ...(error.path ?? [])];
      throw error instanceof LimitError ? error.locate({ offset: this.#referred }) : error;
    }
  }

  /** A value comes at this place. */
  #begin(): void {
    this.#separate();
    this.#pending = -1;
  }

  #separate(): void {
    if (this.#place === ITEM && this.#count++ > 0) this.#out.byte(COMMA);
  }

  #open(place: Place, bracket: number): void {
    this.#begin();
    this.#out.byte(bracket);
    this.#outer.push(this.#place, this.#count, this.#key);
    this.#place = place;
    this.#count = 0;
    this.#key = '';
  }

  #close(bracket: number): void {
    this.#out.byte(bracket);
    this.#key = this.#outer.pop() as string;
    this.#count = this.#outer.pop() as number;
    this.#place = this.#outer.pop() as Place;
  }

  /** A value whose text is ASCII. */
  #ascii(text: string): void {
    this.#begin();
    this.#out.ascii(text);
  }
}
