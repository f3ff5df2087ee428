import { COMMA } from '../../bytes/text/json-bytes.ts';
import { LimitError } from '../../errors.ts';
import { internKey } from '../../bytes/text/key-cache.ts';
import type { ReviveTag } from '../../reading/revive.ts';
import { JsonOutput } from './output.ts';
import { type JsonTextOptions, stringifyValue, toBase64 } from './values.ts';
import { makeBinary } from '../../reading/binary.ts';
import { type Limits, resolveLimits } from '../../limits.ts';
import { SharedExpansion } from '../shared-expansion.ts';
import { ObjectSink } from '../objects/objects.ts';
import type { BinaryKind, Events, RecordId, Sink, Tag } from '../../reading/sink.ts';

/** Position of the next value. */
type Place = 0 | 1 | 2;
const ROOT: Place = 0;
const ITEM: Place = 1;
const PROPERTY: Place = 2;

/** Maximum number of keys whose text is cached. */
const MAX_KEYS = 4096;
/**
 * Characters from which a record's key counts against the expansion limit each time it is written: the input contains
 * it once.
 */
const LONG_KEY = 256;
/** Tag with which the object sink returns a value to this sink. */
const CAPTURE = 'json-text:value';

const encoder = new TextEncoder();
const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Writes JSON text while the value is read, without building objects: strings are copied as bytes. Values without a
 * JSON form become what `JSON.stringify` makes of them, except binary values (base64 strings), sets (lists), maps
 * (objects) and large integers (`JsonTextOptions.bigints`). Maps, tagged values and values with references are built as
 * objects first, one at a time.
 */
export class JsonTextSink implements Events {
  checkText: Sink['checkText'];
  readonly #out = new JsonOutput();
  #bytes = NO_BYTES;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #base = 0;
  #place: Place = ROOT;
  /** Items or properties of the open container so far. */
  #count = 0;
  #key = '';
  /** Position, count and key of each container outside the open one, in one flat list. */
  readonly #outer: (number | string)[] = [];
  /** Start of the property whose value comes next, which is removed if that is undefined; −1 elsewhere. */
  #pending = -1;
  readonly #keys = new Map<string, Uint8Array>();
  readonly #records: (readonly string[])[] = [];
  #fields: readonly string[] = [];
  readonly #outerFields: (readonly string[])[] = [];
  readonly #options: JsonTextOptions;
  readonly #revive: ReviveTag | undefined;
  /** Builds values that cannot be written directly; `#depth` counts its open containers, −1 while it has no value. */
  #builder: ObjectSink | undefined;
  #depth = -1;
  #captured: unknown;
  readonly #limits: Limits;
  /** Created by the first reference. */
  #expansion: SharedExpansion | undefined;
  /** Offset of the last reference. */
  #referred: number | undefined;

  /** `revive` creates the values of the format's own tags. */
  constructor(revive?: ReviveTag, options: JsonTextOptions = {}, limits: Limits = resolveLimits()) {
    this.#revive = revive;
    this.#options = options;
    this.#limits = limits;
  }

  /** Takes the text that is final so far; undefined if it is empty. */
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
    // Both after the call: the path of its error names this item or key.
    this.#count += this.#place === ITEM ? 1 : 0;
    this.#pending = -1;
  }

  text(value: string, start: number): void {
    this.checkText?.(value.length, start);
    if (this.#depth >= 0) this.#built((builder) => builder.text(value, start));
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
      if (this.#keys.size < MAX_KEYS) this.#keys.set(value, text);
    }
    this.#out.append(text);
  }

  defineRecord(keys: readonly string[], unused = this.#records.length): RecordId {
    this.#builder?.defineRecord(keys, unused);
    this.#records[unused] = keys;
    return unused;
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
      // `count` includes the container that is open inside.
      add(place, count - 1, key);
    }
    // After its value, a key no longer belongs to the path.
    add(this.#place, this.#count, this.#pending >= 0 ? this.#key : '');
    return path;
  }

  /** Redirects events to the object sink until its value is complete. */
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

  /** Writes the value built by the object sink. */
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

  /** Budget for repeated values, after the input up to `start` in the window. */
  #expansionAt(start: number): SharedExpansion {
    this.#expansion ??= new SharedExpansion(this.#limits);
    if (this.#base >= 0) {
      this.#referred = this.#base + start;
      this.#expansion.receive(this.#referred);
    }
    return this.#expansion;
  }

  /** Counts a value built by the object sink, parts of which may be shared. */
  #countShared(expansion: SharedExpansion): void {
    try {
      expansion.count(this.#captured);
    } catch (error) {
      if (error instanceof LimitError) error.path = [...this.path(), ...(error.path ?? [])];
      throw error instanceof LimitError ? error.locate({ offset: this.#referred }) : error;
    }
  }

  /** Begins a value at the current position. */
  #begin(): void {
    this.#separate();
    this.#count += this.#place === ITEM ? 1 : 0;
    this.#pending = -1;
  }

  #separate(): void {
    if (this.#place === ITEM && this.#count > 0) this.#out.byte(COMMA);
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

  /** Writes a value whose text is ASCII. */
  #ascii(text: string): void {
    this.#begin();
    this.#out.ascii(text);
  }
}
