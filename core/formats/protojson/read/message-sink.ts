import { joined } from '../../../bytes/byte-input.ts';
import { bytesOfBase64 } from '../../../bytes/text/base64.ts';
import { internKey } from '../../../bytes/text/key-cache.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import { DecodeError, SchemaError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import { ForwardingSink } from '../../../sinks/forwarding-sink.ts';
import { Input } from '../../protobuf/read/input.ts';
import {
  ANY,
  DEFAULTED,
  DURATION,
  ENUM_NAME,
  FIELD_MASK,
  LIST,
  MAP,
  MESSAGES,
  NULL_VALUE,
  PLAIN,
  type Plan,
  planFor,
  RAW_STRING,
  SCALAR,
  SUBMESSAGE,
  TIMESTAMP,
  UNLESS_ZERO,
  UNWRAPPED,
  ZERO,
} from '../../protobuf/read/plan.ts';
import { Scalars } from '../../protobuf/read/scalars.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  FIXED32,
  FIXED64,
  FLOAT,
  INT64,
  type ProtobufSchema,
  SFIXED64,
  SINT64,
  STRING,
  TYPE_NAMES,
  UINT32,
  UINT64,
} from '../../protobuf/schema/schema.ts';
import { MessageWriter } from '../../protobuf/write/message-writer.ts';
import { writePlanFor } from '../../protobuf/write/plan.ts';
import type { ProtoJsonOptions } from '../options.ts';
import { PlainSink } from '../plain-sink.ts';
import {
  durationOf,
  durationText,
  hasLoneSurrogate,
  integerOf,
  numberOf,
  pathsOf,
  type Seconds,
  shortIntegerOf,
  timestampOf,
} from '../text-forms.ts';
import { Capture, type Captured } from './captured.ts';
import { type Names, namesOf } from './names.ts';

/** Kinds of a scalar of JSON. `STRING_RANGE` is in the window, `TEXT` given as a string. */
const NULL = 0;
const BOOLEAN = 1;
const NUMBER = 2;
const STRING_RANGE = 3;
const TEXT = 4;
type Kind = 0 | 1 | 2 | 3 | 4;

const FOUND = ['null', 'a boolean', 'a number', 'a string', 'a string'] as const;

/** Kinds of frames: a message, a list, a map, and a place for one value of a message type. */
const IN_MESSAGE = 0;
const IN_LIST = 1;
const IN_MAP = 2;
const HOLDER = 3;

/** Fields of the messages that are sent as the JSON value they hold: `google.protobuf.Value` by their order. */
const VALUE_NAME = 'google.protobuf.Value';
const VALUE_NULL = 0;
const VALUE_NUMBER = 1;
const VALUE_STRING = 2;
const VALUE_BOOLEAN = 3;
const VALUE_STRUCT = 4;
const VALUE_LIST = 5;

/** Bits of `Frame.seen`: the key was there, and it has a value other than null. */
const KEYED = 1;
const PRESENT = 2;

/** Keys of an Any: its type, as in JSON, and its value if that is not a record. */
const ANY_KEYS = ['@type', 'value'] as const;

/** An open message, list or map. Frames are reused. */
class Frame {
  readonly depth: number;
  kind = IN_MESSAGE;
  /** Message type, of a map its entries'. */
  type = 0;
  /** The field of the next value. */
  field = -1;
  /** Offset of the keys of the message's record from its fields. */
  shift = 0;
  /** The message ends with its next value: it is not an object of the JSON. */
  isImplicit = false;
  /** The next value's field or key is not sent yet. */
  isDue = false;
  /** The list or map is sent. */
  isOpen = false;
  /** Items of the list. */
  count = 0;
  seen = new Uint8Array(16);
  /** For each oneof of a message, the index of its member plus one. */
  oneofs = new Int32Array(4);
  /** Keys of the map, and the next one. */
  keys: Set<string> | undefined;
  key = '';

  constructor(depth: number) {
    this.depth = depth;
  }
}

/**
 * Turns the events of JSON into those of messages by a schema: the same as `ProtobufReader` sends for the bytes of the message. Fields
 * are sent in the order of the JSON, missing ones at the end of their message.
 */
export class MessageSink extends ForwardingSink {
  readonly repairedText: Sink['repairedText'];
  readonly #plan: Plan;
  readonly #schema: ProtobufSchema;
  readonly #names: Names;
  readonly #options: ProtoJsonOptions;
  readonly #limits: Limits;
  readonly #input: Input;
  readonly #scalars: Scalars;
  /** True if well-known types are sent as their JSON equivalents. */
  readonly #sendsValues: boolean;
  readonly #skipsUnknown: boolean;
  readonly #isSequence: boolean;
  readonly #records: RecordId[] = [];
  readonly #anyRecords: RecordId[] = [];
  #wrapper: RecordId | undefined;
  readonly #frames: Frame[] = [];
  #depth = 0;
  /** The innermost frame; undefined at the root. */
  #top: Frame | undefined;
  /** Open containers of a value that is skipped; −1 without one. */
  #skipped = -1;
  #capture: Capture | undefined;
  /** Offset of the last event in the input. */
  #offset = 0;
  /** Range of the string in the window. */
  #from = 0;
  #end = 0;
  #isRootOpen = false;
  /** Messages of the sequence that have begun. */
  #roots = 0;

  constructor(sink: Sink, options: ProtoJsonOptions, limits: Limits, schema: ProtobufSchema | undefined) {
    super(sink);
    if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'protojson' });
    this.repairedText = sink.repairedText;
    this.#schema = schema;
    this.#plan = planFor(schema, options as object);
    this.#names = namesOf(schema);
    this.#options = options;
    this.#limits = limits;
    this.#sendsValues = options.wellKnownTypes === 'value';
    this.#skipsUnknown = options.unknown === 'skip';
    this.#isSequence = options.sequence === true;
    this.#input = new Input(sink, limits);
    this.#scalars = new Scalars(this.#plan, this.#input, sink, limits);
  }

  protected beforeValue(): void {}

  override window(bytes: Uint8Array, view: DataView, base: number): void {
    super.window(bytes, view, base);
    this.#input.useWindow(bytes, view, base);
  }

  override null(start: number, end: number): void {
    this.#scalar(NULL, null, start, end);
  }

  override boolean(value: boolean, start: number, end: number): void {
    this.#scalar(BOOLEAN, value, start, end);
  }

  override integer(value: number, start: number, end: number): void {
    this.#scalar(NUMBER, value, start, end);
  }

  override float(value: number, start: number, end: number): void {
    this.#scalar(NUMBER, value, start, end);
  }

  override bigint(value: bigint, start: number, end: number): void {
    this.#scalar(NUMBER, value, start, end);
  }

  override string(start: number, from: number, end: number): void {
    this.#from = from;
    this.#end = end;
    this.#scalar(STRING_RANGE, null, start, end);
  }

  override text(value: string, start: number, end: number): void {
    this.checkText?.(value.length, start);
    this.#scalar(TEXT, value, start, end);
  }

  override key(start: number, from: number, end: number): void {
    if (this.#skipped < 0) this.keyText(this.#textIn(from, end, this.repairedText === undefined), start, end);
  }

  override keyText(name: string, start: number, end: number): void {
    this.#note(start);
    if (this.#skipped >= 0) return;
    const capture = this.#capture;
    if (capture !== undefined) {
      if (capture.has(name)) this.#fail(`the key ${shown(name)} occurs twice`);
      capture.key(name);
      return;
    }
    const top = this.#top!;
    if (top.kind === IN_MAP) {
      top.key = name;
      if (top.keys!.has(name)) this.#fail(`the key ${shown(name)} occurs twice`);
      top.keys!.add(name);
      top.isDue = true;
      return;
    }
    const index = this.#names.fieldsOf(top.type).get(name);
    if (index === undefined) {
      if (!this.#skipsUnknown) this.#fail(`unknown field ${shown(name)} of ${this.#plan.names[top.type]}; set the option unknown: skip to ignore it`);
      this.#skipped = 0;
      return;
    }
    if (top.seen[index] !== 0) this.#fail(`the field ${shown(name)} of ${this.#plan.names[top.type]} occurs twice`);
    top.seen[index] = KEYED;
    top.field = this.#plan.first[top.type]! + index;
    top.isDue = true;
    void end;
  }

  override beginObject(_count: number, start: number, end: number): void {
    this.#note(start);
    if (this.#skipped >= 0) {
      this.#skipped += 1;
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.begin(new Map());
      return;
    }
    const top = this.#top;
    const field = top?.field ?? -1;
    if (top?.kind === IN_MESSAGE) {
      this.#take(top);
      const shape = this.#plan.shape[field]!;
      if (shape === MAP) {
        this.#pushMap(field, start, this.#plan.sendsDefaults);
        return;
      }
      if (shape !== SUBMESSAGE) this.#mismatch('an object');
    }
    this.#object(this.#typeOf(top), start, end);
  }

  override endObject(end: number): void {
    this.#note(end);
    if (this.#skipped >= 0) {
      this.#endSkipped();
      return;
    }
    if (this.#capture !== undefined) {
      const captured = this.#capture.end();
      if (captured === undefined) return;
      this.#capture = undefined;
      this.#any(this.#typeOf(this.#top), captured as Map<string, Captured>, end);
    } else if (this.#top!.kind === IN_MAP) {
      if (this.#top!.isOpen) this.#endMap(end);
      this.#pop();
    } else {
      this.#closeMessage(end);
    }
    this.#valueEnds(end);
  }

  override beginArray(count: number, start: number, end: number): void {
    this.#note(start);
    if (this.#skipped >= 0) {
      this.#skipped += 1;
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.begin([]);
      return;
    }
    if (this.#isSequence && !this.#isRootOpen) {
      this.#isRootOpen = true;
      this.sink.beginArray(count, start, end);
      return;
    }
    const top = this.#top;
    const field = top?.field ?? -1;
    if (top?.kind === IN_MESSAGE) {
      this.#take(top);
      const shape = this.#plan.shape[field]!;
      if (shape === LIST || shape === MESSAGES) {
        this.#pushList(field, start, this.#plan.sendsDefaults);
        return;
      }
      if (shape !== SUBMESSAGE) this.#mismatch('an array');
    }
    this.#array(this.#typeOf(top), start, end);
  }

  override endArray(end: number): void {
    this.#note(end);
    if (this.#skipped >= 0) {
      this.#endSkipped();
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.end();
      return;
    }
    const top = this.#top;
    if (top === undefined) {
      this.sink.endArray(end);
      return;
    }
    if (top.isOpen) {
      if (top.count === 0 && this.#plan.shape[top.field] === MESSAGES) this.sink.itemRecord?.(this.#record(this.#plan.ref[top.field]!));
      this.sink.endArray(end);
    }
    this.#pop();
    this.#valueEnds(end);
  }

  /** Steps from the root to the value that is expected or being read. Sinks do not know a field before it is sent. */
  override path(): (string | number)[] {
    const path: (string | number)[] = this.#isRootOpen ? [this.#depth > 0 ? this.#roots - 1 : this.#roots] : [];
    for (let depth = 0; depth < this.#depth; depth += 1) {
      const frame = this.#frames[depth]!;
      const isTop = depth === this.#depth - 1;
      if (frame.kind === IN_LIST) path.push(isTop ? frame.count : frame.count - 1);
      else if (frame.kind === HOLDER) path.push('value');
      else if (!isTop || frame.isDue) {
        path.push(frame.kind === IN_MAP ? frame.key : this.#plan.keys[frame.type]![frame.field - this.#plan.first[frame.type]!]!);
      }
    }
    return path;
  }

  /** Takes a scalar, whose string is in `from..end` of the window for `STRING_RANGE`. */
  #scalar(kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    this.#note(start);
    if (this.#skipped >= 0) {
      if (this.#skipped === 0) this.#skipped = -1;
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.add(kind === STRING_RANGE ? this.#text() : value);
      return;
    }
    const top = this.#top;
    const field = top?.field ?? -1;
    if (top !== undefined && top.kind !== HOLDER) {
      if (kind === NULL && !this.#takesNull(field)) {
        // A null field is an absent one.
        if (top.kind === IN_MESSAGE) return;
        this.#mismatch('null');
      }
      if (top.kind === IN_MESSAGE) {
        const shape = this.#plan.shape[field]!;
        if (shape >= LIST) {
          this.#take(top);
          this.#fail(`expected ${shape === MAP ? 'an object' : 'an array'} but found ${FOUND[kind]}`);
        }
      }
      if (this.#plan.shape[field] === SCALAR || this.#plan.shape[field] === LIST) {
        this.#single(field, kind, value, start, end);
        this.#valueEnds(end);
        return;
      }
      if (top.kind === IN_MESSAGE) this.#take(top);
    }
    this.#message(this.#typeOf(top), kind, value, start, end);
    this.#valueEnds(end);
  }

  /** Type of the message that is expected. */
  #typeOf(top: Frame | undefined): number {
    if (top === undefined) return this.#plan.root;
    if (top.kind === HOLDER) return top.type;
    const { type, ref } = this.#plan;
    const { field } = top;
    if (this.#plan.shape[field] === SCALAR || this.#plan.shape[field] === LIST)
      this.#fail(`expected ${typeName(type[field]!)} but found an object or array`);
    return ref[field]!;
  }

  /** True if null is a value of the field rather than its absence. */
  #takesNull(field: number): boolean {
    const { type, ref, shape, names } = this.#plan;
    if (shape[field] === SUBMESSAGE || shape[field] === MESSAGES) {
      return names[ref[field]!] === VALUE_NAME && (shape[field] !== MESSAGES || this.#top!.kind === IN_LIST);
    }
    if (shape[field] === LIST && this.#top!.kind === IN_MESSAGE) return false;
    return (type[field] === NULL_VALUE || type[field] === ENUM || type[field] === ENUM_NAME) && this.#isNullValue(field);
  }

  #isNullValue(field: number): boolean {
    return this.#schema.enums[this.#plan.ref[field]!]!.name === 'google.protobuf.NullValue';
  }

  /** Sends a scalar of JSON as a value of a message type. */
  #message(type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    const plan = this.#plan;
    const first = plan.first[type]!;
    switch (this.#names.kinds[type]) {
      case UNWRAPPED: {
        if (plan.names[type] === VALUE_NAME) {
          const index = [VALUE_NULL, VALUE_BOOLEAN, VALUE_NUMBER, VALUE_STRING, VALUE_STRING][kind]!;
          if (kind === NUMBER && !Number.isFinite(Number(value))) this.#fail('the number is out of range');
          this.#held(type, first + index, start, () => this.#single(first + index, kind, value, start, end));
          return;
        }
        if (plan.shape[first] !== SCALAR || kind === NULL) break;
        this.#held(type, first, start, () => this.#single(first, kind, value, start, end));
        return;
      }
      case TIMESTAMP:
      case DURATION: {
        if (kind < STRING_RANGE) break;
        const isTimestamp = this.#names.kinds[type] === TIMESTAMP;
        const text = kind === TEXT ? (value as string) : this.#text();
        const time = isTimestamp ? timestampOf(text) : durationOf(text);
        if (time === undefined)
          this.#fail(`${shown(text)} is not ${isTimestamp ? 'a Timestamp such as 1970-01-01T00:00:00Z' : 'a Duration such as 1.5s'}`);
        this.#send(start);
        if (!this.#sendsValues) this.#seconds(type, time, start, end);
        else if (isTimestamp) this.sink.date(time.seconds * 1000 + Math.floor(time.nanos / 1e6), start, end);
        else this.sink.text(durationText(time)!, start, end);
        return;
      }
      case FIELD_MASK: {
        if (kind < STRING_RANGE) break;
        const text = kind === TEXT ? (value as string) : this.#text();
        const paths = pathsOf(text);
        if (paths === undefined) this.#fail(`${shown(text)} is not a FieldMask: its paths are in lower camel case, joined by commas`);
        this.#send(start);
        if (this.#sendsValues) {
          this.sink.text(paths.join(), start, end);
          return;
        }
        this.#openMessage(type, true, start);
        this.#setField(first);
        if (paths.length > 0 || plan.sendsDefaults) {
          this.#send(start);
          this.sink.beginArray(paths.length, start, start);
          for (const path of paths) this.sink.text(path, start, end);
          this.sink.endArray(end);
        }
        this.#closeMessage(end);
        return;
      }
      default:
    }
    this.#mismatch(FOUND[kind]);
  }

  /** Opens an object as a message of a type. */
  #object(type: number, start: number, end: number): void {
    const plan = this.#plan;
    const first = plan.first[type]!;
    const kind = this.#names.kinds[type];
    if (kind === PLAIN) {
      this.#send(start);
      this.#openMessage(type, false, start, end);
    } else if (kind === ANY) {
      this.#capture = new Capture();
      this.#capture.begin(new Map());
    } else if (kind === UNWRAPPED && plan.names[type] === VALUE_NAME) {
      const field = first + VALUE_STRUCT;
      this.#hold(type, field, start);
      this.#object(plan.ref[field]!, start, end);
    } else if (kind === UNWRAPPED && plan.shape[first] === MAP) {
      this.#hold(type, first, start);
      this.#pushMap(first, start, plan.sendsDefaults || this.#sendsValues);
    } else {
      this.#mismatch('an object');
    }
  }

  /** Opens an array as a message of a type. */
  #array(type: number, start: number, end: number): void {
    const plan = this.#plan;
    const first = plan.first[type]!;
    if (this.#names.kinds[type] === UNWRAPPED && plan.names[type] === VALUE_NAME) {
      const field = first + VALUE_LIST;
      this.#hold(type, field, start);
      this.#array(plan.ref[field]!, start, end);
    } else if (this.#names.kinds[type] === UNWRAPPED && plan.shape[first] === MESSAGES) {
      this.#hold(type, first, start);
      this.#pushList(first, start, plan.sendsDefaults || this.#sendsValues);
    } else {
      this.#mismatch('an array');
    }
  }

  /** Begins a message that holds one value, unless it is sent as that value. It ends after the value. */
  #hold(type: number, field: number, start: number): void {
    if (this.#sendsValues) return;
    this.#send(start);
    this.#openMessage(type, true, start);
    this.#setField(field);
  }

  /** Sends a message with the one scalar it holds, or only that. */
  #held(type: number, field: number, start: number, sendScalar: () => void): void {
    this.#hold(type, field, start);
    sendScalar();
  }

  #seconds(type: number, { seconds, nanos }: Seconds, start: number, end: number): void {
    const first = this.#plan.first[type]!;
    this.#openMessage(type, true, start);
    this.#setField(first);
    this.#long(first, seconds, start, end);
    this.#setField(first + 1);
    this.#int(first + 1, nanos, start, end);
    this.#closeMessage(end);
  }

  /** The next value of the message is that of a field. */
  #setField(field: number): void {
    const top = this.#top!;
    top.field = field;
    top.isDue = true;
    this.#take(top);
  }

  /** Marks the field of the next value as present. */
  #take(top: Frame): void {
    const index = top.field - this.#plan.first[top.type]!;
    top.seen[index] = KEYED | PRESENT;
    const oneof = this.#plan.oneof[top.field]!;
    if (oneof < 0) return;
    const other = top.oneofs[oneof]!;
    if (other > 0 && other !== index + 1) {
      const { name } = this.#plan.fields[this.#plan.first[top.type]! + other - 1]!;
      this.#fail(`a oneof must not have two members: ${name} and ${this.#plan.fields[top.field]!.name}`);
    }
    top.oneofs[oneof] = index + 1;
  }

  /** Sends the field, key or container that the next value belongs to, unless it is sent. */
  #send(start: number): void {
    const top = this.#top;
    if (top === undefined || top.kind === HOLDER) return;
    if (top.kind === IN_LIST) {
      top.count += 1;
      if (!top.isOpen) this.#openList(top, start);
    } else if (top.isDue) {
      top.isDue = false;
      if (top.kind === IN_MESSAGE) this.sink.field(top.field - this.#plan.first[top.type]! + top.shift, start, start);
      else {
        if (!top.isOpen) this.#openMap(top, start);
        this.#mapKey(top, start);
      }
    }
  }

  #openList(frame: Frame, start: number): void {
    this.#sendOuter(frame, start);
    this.sink.beginArray(-1, start, start);
    frame.isOpen = true;
  }

  #openMap(frame: Frame, start: number): void {
    this.#sendOuter(frame, start);
    if (this.#plan.mapsAsObjects) this.sink.beginObject(-1, start, start);
    else this.sink.beginMap(-1, start, start);
    frame.isOpen = true;
  }

  /** Sends the field or key to which a list or map belongs. */
  #sendOuter(frame: Frame, start: number): void {
    this.#top = this.#frames[frame.depth - 1];
    this.#send(start);
    this.#top = frame;
  }

  #endMap(end: number): void {
    if (this.#plan.mapsAsObjects) this.sink.endObject(end);
    else this.sink.endMap(end);
  }

  #mapKey({ type: entry, key }: Frame, start: number): void {
    const plan = this.#plan;
    const field = plan.first[entry]!;
    const type = plan.type[field]!;
    let text = key;
    if (type === STRING || type === RAW_STRING) {
      if (hasLoneSurrogate(key)) this.#fail('a key has a lone surrogate');
    } else if (type === BOOL) {
      if (key !== 'true' && key !== 'false') this.#fail(`the key ${shown(key)} is neither true nor false`);
    } else {
      const value = integerOf(key);
      if (value === undefined || !isInRange(type, value)) this.#fail(`the key ${shown(key)} is not ${typeName(type)}`);
      text = String(value);
      if (!plan.mapsAsObjects) {
        if (isLong(type)) this.#sendLong(value, start, start);
        else this.sink.integer(Number(value), start, start);
        return;
      }
    }
    if (plan.mapsAsObjects) this.sink.keyText(text, start, start);
    else if (type === BOOL) this.sink.boolean(key === 'true', start, start);
    else this.sink.text(key, start, start);
  }

  /** Sends a scalar of JSON as a scalar of a field's type. */
  #single(field: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    const type = this.#plan.type[field]!;
    switch (type) {
      case STRING:
      case RAW_STRING:
        if (kind === STRING_RANGE) {
          if (this.#isLeftOut(field, this.#from === this.#end)) return;
          this.#send(start);
          this.sink.string(start, this.#from, this.#end);
        } else if (kind === TEXT) {
          if (hasLoneSurrogate(value as string)) this.#fail('the string has a lone surrogate');
          if (this.#isLeftOut(field, value === '')) return;
          this.#send(start);
          this.sink.text(value as string, start, end);
        } else this.#mismatch(FOUND[kind], field);
        return;
      case BOOL:
        if (kind !== BOOLEAN) this.#mismatch(FOUND[kind], field);
        if (this.#isLeftOut(field, value === false)) return;
        this.#send(start);
        this.sink.boolean(value as boolean, start, end);
        return;
      case BYTES:
        this.#bytes(field, kind, value, start, end);
        return;
      case DOUBLE:
      case FLOAT:
        this.#float(field, type, kind, value, start, end);
        return;
      case ENUM:
      case ENUM_NAME:
      case NULL_VALUE:
        this.#enum(field, type, kind, value, start, end);
        return;
      default: {
        if (kind < NUMBER) this.#mismatch(FOUND[kind], field);
        if (typeof value === 'number' && !isLong(type)) {
          if (!Number.isInteger(value) || !isInRange(type, value)) this.#fail(`${value} is not ${typeName(type)}`);
          this.#int(field, value + 0, start, end);
          return;
        }
        const text = kind === NUMBER ? undefined : kind === TEXT ? (value as string) : this.#text();
        const near = text === undefined ? value : shortIntegerOf(text);
        if (isLong(type) && Number.isSafeInteger(near) && ((near as number) >= 0 || (type !== UINT64 && type !== FIXED64))) {
          this.#long(field, (near as number) + 0, start, end);
          return;
        }
        const exact =
          text !== undefined ? integerOf(text) : Number.isInteger(value) || typeof value === 'bigint' ? BigInt(value as bigint) : undefined;
        if (exact === undefined || !isInRange(type, exact))
          this.#fail(`${text === undefined ? String(value) : shown(text)} is not ${typeName(type)}`);
        if (isLong(type)) this.#long(field, exact, start, end);
        else this.#int(field, Number(exact), start, end);
      }
    }
  }

  #int(field: number, value: number, start: number, end: number): void {
    if (this.#isLeftOut(field, value === 0)) return;
    this.#send(start);
    this.sink.integer(value, start, end);
  }

  #long(field: number, value: number | bigint, start: number, end: number): void {
    if (this.#isLeftOut(field, Number(value) === 0)) return;
    this.#send(start);
    this.#sendLong(value, start, end);
  }

  #sendLong(value: number | bigint, start: number, end: number): void {
    const { int64 } = this.#plan;
    const near = Number(value);
    if (int64 === 'string') this.sink.text(String(value), start, end);
    else if (int64 === 'bigint' || (int64 === 'auto' && !Number.isSafeInteger(near))) this.sink.bigint(BigInt(value), start, end);
    else if (Number.isSafeInteger(near)) this.sink.integer(near, start, end);
    else this.sink.float(near, start, end);
  }

  #float(field: number, type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    if (kind < NUMBER) this.#mismatch(FOUND[kind], field);
    const text = kind === NUMBER ? undefined : kind === TEXT ? (value as string) : this.#text();
    const given = text === undefined ? Number(value) : numberOf(text);
    const number = given === undefined || type === DOUBLE ? given : Math.fround(given);
    const isInfinite = number === Infinity || number === -Infinity;
    if (number === undefined || (isInfinite && text !== 'Infinity' && text !== '-Infinity'))
      this.#fail(`${text === undefined ? String(value) : shown(text)} is not ${typeName(type)}`);
    if (this.#isLeftOut(field, Object.is(number, 0))) return;
    this.#send(start);
    this.sink.float(number, start, end);
  }

  #enum(field: number, type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    let number: number | undefined;
    if (kind === NULL) number = 0;
    else if (kind === NUMBER) {
      if (typeof value !== 'number' || (value | 0) !== value + 0) this.#fail(`${String(value)} is not a number of an enum`);
      number = value + 0;
      if (this.#isUnnamed(field, number)) this.#fail(`${number} is not a value of ${this.#enumName(field)}`);
    } else if (kind === BOOLEAN) this.#mismatch(FOUND[kind], field);
    else {
      const name = kind === TEXT ? (value as string) : this.#text();
      number = this.#names.numbersOf(this.#plan, field).get(name);
      if (number === undefined) {
        if (this.#skipsUnknown) {
          // As if the field, item or entry were not there.
          if (this.#top?.kind === IN_MAP) this.#top.isDue = false;
          return;
        }
        this.#fail(`${shown(name)} is not a value of ${this.#enumName(field)}`);
      }
    }
    if (this.#isLeftOut(field, number === 0)) return;
    this.#send(start);
    if (type === NULL_VALUE) this.sink.null(start, end);
    else if (type === ENUM_NAME) this.#scalars.enumName(field, number, start, end);
    else this.sink.integer(number, start, end);
  }

  /** True if the enum of a field is closed and has no name for a number. */
  #isUnnamed(field: number, number: number): boolean {
    return this.#schema.enums[this.#plan.ref[field]!]!.closed && !this.#plan.isNamed(field, number);
  }

  #enumName(field: number): string {
    return this.#schema.enums[this.#plan.ref[field]!]!.name;
  }

  #bytes(field: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    if (kind < STRING_RANGE) this.#mismatch(FOUND[kind], field);
    let decoded: Uint8Array<ArrayBuffer> | undefined;
    if (kind === STRING_RANGE) decoded = bytesOfBase64(this.bytes, this.#from, this.#end);
    else {
      const text = new TextEncoder().encode(value as string);
      decoded = bytesOfBase64(text, 0, text.length);
    }
    if (decoded === undefined) this.#fail('the string is not base64');
    if (decoded.length > this.#limits.binaryLength) this.#input.exceed('binaryLength', start);
    if (this.#isLeftOut(field, decoded.length === 0)) return;
    this.#send(start);
    this.#sendBytes(decoded);
    void end;
  }

  #sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.sink.window(bytes, new DataView(bytes.buffer), -1);
    this.sink.binary(0, 0, 0, bytes.length);
    this.sink.window(this.bytes, this.view, this.base);
  }

  /** Marks a field with a value as present. True if the value is zero and the options ask to leave it out. */
  #isLeftOut(field: number, isZero: boolean): boolean {
    const top = this.#top;
    if (top?.kind !== IN_MESSAGE || top.field !== field || !top.isDue) return false;
    this.#take(top);
    return isZero && (this.#plan.quick[field]! & UNLESS_ZERO) !== 0;
  }

  /** Sends an Any with the object that stands for it. */
  #any(type: number, object: Map<string, Captured>, at: number): void {
    const plan = this.#plan;
    const inner = this.#typeOfAny(object);
    const address = object.get('@type') as string;
    const isWellKnown = inner >= 0 && this.#names.kinds[inner] !== PLAIN;
    if (!this.#sendsValues) {
      const bytes = inner < 0 ? new Uint8Array(0) : this.#bytesOf(inner, object, isWellKnown);
      if (bytes.length > this.#limits.binaryLength) this.#input.exceed('binaryLength', at);
      this.#send(at);
      this.#openMessage(type, true, at);
      if (inner >= 0) {
        this.#setField(plan.first[type]!);
        this.#send(at);
        this.sink.text(address, at, at);
        this.#setField(plan.first[type]! + 1);
        if (!this.#isLeftOut(plan.first[type]! + 1, bytes.length === 0)) {
          this.#send(at);
          this.#sendBytes(bytes);
        }
      }
      this.#closeMessage(at);
      return;
    }
    this.#send(at);
    if (inner >= 0 && !isWellKnown) {
      const record = (this.#anyRecords[inner] ??= this.sink.defineRecord(['@type', ...plan.keys[inner]!]));
      this.#openMessage(inner, false, at, at, record);
      this.sink.field(0, at, at);
      this.sink.text(address, at, at);
      this.#replayFields(object, at);
      this.#closeMessage(at);
      return;
    }
    this.sink.beginRecord((this.#wrapper ??= this.sink.defineRecord(ANY_KEYS)), at, at);
    if (inner >= 0) {
      this.sink.field(0, at, at);
      this.sink.text(address, at, at);
    }
    this.sink.field(1, at, at);
    if (inner < 0) this.#sendBytes(new Uint8Array(0));
    else {
      this.#push(HOLDER, inner);
      this.#replay(object.get('value')!, at);
      this.#pop();
    }
    this.sink.endRecord(at);
  }

  /** The type of the message in an Any; −1 if the Any is empty. */
  #typeOfAny(object: Map<string, Captured>): number {
    if (object.size === 0) return -1;
    const plan = this.#plan;
    const address = object.get('@type');
    if (typeof address !== 'string') this.#fail('an Any needs its type as @type');
    const type = /^.*\/./s.test(address) ? plan.messageNamed(address.slice(address.lastIndexOf('/') + 1)) : -1;
    if (type < 0) this.#fail(`unknown type ${shown(address)} of an Any`);
    const name = plan.names[type]!;
    const value = object.get('value');
    // Some libraries write an Empty as if it were a value.
    if (name === 'google.protobuf.Empty' && value instanceof Map && value.size === 0) object.delete('value');
    if (this.#names.kinds[type] === PLAIN) return type;
    const other = [...object.keys()].find((key) => key !== '@type' && key !== 'value');
    if (other !== undefined && !this.#skipsUnknown) this.#fail(`unknown field ${shown(other)} of an Any with ${name}`);
    if (value === undefined) this.#fail(`the field value of an Any with ${name} is missing`);
    return type;
  }

  /** The bytes of the message in an Any. */
  #bytesOf(type: number, object: Map<string, Captured>, isWellKnown: boolean): Uint8Array<ArrayBuffer> {
    const schema = this.#names.rootedAt(type);
    const { partial, unknown } = this.#options;
    const options = { defaults: 'none', int64: 'bigint', maps: 'map', partial, unknown } as const;
    const values = new PlainSink();
    const inner = new MessageSink(values, options, this.#limits, schema);
    try {
      if (isWellKnown) inner.#replay(object.get('value')!, 0);
      else {
        inner.beginObject(-1, 0, 0);
        inner.#replayFields(object, 0);
        inner.endObject(0);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(error.code, error.reason, { offset: this.#offset, path: [...this.path(), ...inner.path()] });
    }
    const session = new MessageWriter(writePlanFor(schema, { partial }), { partial }, this.#limits).session();
    session.write(values.result).run();
    return joined(session.take());
  }

  #replayFields(object: Map<string, Captured>, at: number): void {
    for (const [key, value] of object) {
      if (key === '@type') continue;
      this.keyText(key, at, at);
      this.#replay(value, at);
    }
  }

  /** Takes a captured value as if it came now. */
  #replay(value: Captured, at: number): void {
    if (value === null) this.null(at, at);
    else if (typeof value === 'boolean') this.boolean(value, at, at);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#scalar(NUMBER, value, at, at);
    else if (typeof value === 'string') this.#scalar(TEXT, value, at, at);
    else if (Array.isArray(value)) {
      this.beginArray(-1, at, at);
      for (const item of value) this.#replay(item, at);
      this.endArray(at);
    } else {
      this.beginObject(-1, at, at);
      if (this.#capture !== undefined && this.#skipped < 0) {
        // An Any: its content is captured already.
        this.#capture = undefined;
        this.#any(this.#typeOf(this.#top), value, at);
        this.#valueEnds(at);
        return;
      }
      for (const [key, item] of value) {
        this.keyText(key, at, at);
        this.#replay(item, at);
      }
      this.endObject(at);
    }
  }

  #record(type: number): RecordId {
    return (this.#records[type] ??= this.sink.defineRecord(this.#plan.keys[type]!));
  }

  #openMessage(type: number, isImplicit: boolean, start: number, end = start, record?: RecordId): void {
    this.#scalars.budget.receive(this.#offset);
    this.sink.beginRecord(record ?? this.#record(type), start, end);
    const frame = this.#push(IN_MESSAGE, type);
    frame.isImplicit = isImplicit;
    frame.shift = record === undefined ? 0 : 1;
    const count = this.#plan.count[type]!;
    if (frame.seen.length < count) frame.seen = new Uint8Array(count * 2);
    else frame.seen.fill(0, 0, count);
    const oneofs = this.#plan.oneofCount[type]!;
    if (frame.oneofs.length < oneofs) frame.oneofs = new Int32Array(oneofs * 2);
    else frame.oneofs.fill(0, 0, oneofs);
  }

  /** Sends what is missing of the innermost message, and its end. */
  #closeMessage(end: number): void {
    const plan = this.#plan;
    const frame = this.#top!;
    const { type, seen, shift } = frame;
    const first = plan.first[type]!;
    const count = plan.count[type]!;
    if (plan.checksRequired) {
      for (const index of plan.required[type]!) {
        if ((seen[index]! & PRESENT) === 0) this.#fail(`the required field ${plan.fields[first + index]!.name} of ${plan.names[type]} is missing`);
      }
    }
    if (plan.sendsDefaults)
      for (let index = 0; index < count; index += 1) if ((seen[index]! & PRESENT) === 0) this.#missing(first + index, index + shift, end);
    if (plan.oneofKeys) {
      for (let oneof = 0; oneof < plan.oneofCount[type]!; oneof += 1) {
        const member = frame.oneofs[oneof]!;
        if (member === 0) continue;
        this.sink.field(count + oneof + shift, end, end);
        this.#scalars.constant(plan.fieldNames[first + member - 1]!);
      }
    }
    this.sink.endRecord(end);
    this.#pop();
  }

  /** Sends the default of a missing field, if the options ask for it. */
  #missing(field: number, key: number, at: number): void {
    const plan = this.#plan;
    const { sink } = this;
    if ((plan.flags[field]! & DEFAULTED) === 0) return;
    this.#scalars.budget.spend(1, this.#offset);
    this.#scalars.count(1, at);
    sink.field(key, at, at);
    if ((plan.flags[field]! & ZERO) !== 0) {
      sink.integer(0, at, at);
      return;
    }
    switch (plan.shape[field]) {
      case SCALAR:
        this.#scalars.defaultValue(plan.type[field]!, field, at);
        break;
      case SUBMESSAGE:
        sink.null(at, at);
        break;
      case MAP:
        if (plan.mapsAsObjects) sink.beginObject(0, at, at);
        else sink.beginMap(0, at, at);
        this.#endMap(at);
        break;
      default:
        sink.beginArray(0, at, at);
        if (plan.shape[field] === MESSAGES) sink.itemRecord?.(this.#record(plan.ref[field]!));
        sink.endArray(at);
    }
  }

  #pushList(field: number, start: number, isSent: boolean): void {
    const frame = this.#push(IN_LIST, -1);
    frame.field = field;
    frame.isOpen = false;
    frame.count = 0;
    if (isSent) this.#openList(frame, start);
  }

  #pushMap(field: number, start: number, isSent: boolean): void {
    const type = this.#plan.ref[field]!;
    const frame = this.#push(IN_MAP, type);
    frame.field = this.#plan.first[type]! + 1;
    frame.isOpen = false;
    frame.isDue = false;
    frame.keys = new Set();
    if (isSent) this.#openMap(frame, start);
  }

  #push(kind: number, type: number): Frame {
    const frame = (this.#frames[this.#depth] ??= new Frame(this.#depth));
    if (this.#depth === 0) this.#roots += 1;
    this.#depth += 1;
    this.#scalars.count(1, 0);
    frame.kind = kind;
    frame.type = type;
    frame.isImplicit = false;
    frame.isDue = false;
    this.#top = frame;
    return frame;
  }

  #pop(): void {
    this.#depth -= 1;
    this.#frames[this.#depth]!.keys = undefined;
    this.#top = this.#frames[this.#depth - 1];
  }

  /** Ends the messages that hold the value that has ended. */
  #valueEnds(end: number): void {
    while (this.#top !== undefined && this.#top.kind === IN_MESSAGE && this.#top.isImplicit) this.#closeMessage(end);
  }

  #endSkipped(): void {
    this.#skipped -= 1;
    if (this.#skipped === 0) this.#skipped = -1;
  }

  #textIn(from: number, end: number, isKey = false): string {
    try {
      if (isKey) return internKey(this.bytes, from, end, this.base);
      return textFor(this.sink, this.bytes, from, end, this.base);
    } catch (error) {
      throw error instanceof DecodeError ? error.locate({ path: this.path() }) : error;
    }
  }

  /** Text of the string in the window. */
  #text(): string {
    return this.#textIn(this.#from, this.#end);
  }

  /** Notes the position of an event in the input. */
  #note(position: number): void {
    if (this.base >= 0) this.#offset = this.base + position;
  }

  #mismatch(found: string, field?: number): never {
    const top = this.#top;
    const own = field ?? (top === undefined || top.kind === HOLDER ? -1 : top.field);
    const isContainer = own >= 0 && top?.kind === IN_MESSAGE && this.#plan.shape[own]! >= LIST;
    const shape = this.#plan.shape[own];
    const expected = isContainer
      ? shape === MAP
        ? 'an object'
        : 'an array'
      : own >= 0 && (shape === SCALAR || shape === LIST)
        ? typeName(this.#plan.type[own]!)
        : this.#plan.names[top === undefined ? this.#plan.root : top.kind === HOLDER ? top.type : this.#plan.ref[own]!];
    return this.#fail(`expected ${expected} but found ${found}`);
  }

  /** Sends the field or key of a value that has not come, so that it is in the path of an error. */
  settle(): void {
    if (this.#top?.isDue) this.#send(0);
  }

  /** Throws a DecodeError. */
  #fail(reason: string): never {
    throw new DecodeError('malformed', reason, { offset: this.#offset, path: this.path() });
  }
}

function isLong(type: number): boolean {
  return type === INT64 || type === UINT64 || type === SINT64 || type === FIXED64 || type === SFIXED64;
}

function isInRange(type: number, value: number | bigint): boolean {
  if (isLong(type)) {
    const exact = BigInt(value);
    return exact === (type === UINT64 || type === FIXED64 ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact));
  }
  return type === UINT32 || type === FIXED32 ? value >= 0 && value <= 0xffff_ffff : value >= -0x8000_0000 && value <= 0x7fff_ffff;
}

function typeName(type: number): string {
  const name = type === ENUM_NAME || type === NULL_VALUE ? TYPE_NAMES[ENUM]! : type === RAW_STRING ? TYPE_NAMES[STRING]! : TYPE_NAMES[type]!;
  return name === 'string' || name === 'double' || name === 'float'
    ? `a ${name}`
    : /^[aeiou]/.test(name) && !name.startsWith('uint')
      ? `an ${name}`
      : `a ${name}`;
}

/** A name or text of the input, cut to a length that errors may have. */
function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
