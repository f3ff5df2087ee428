import { joined } from '../../../bytes/byte-input.ts';
import { DecodeError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import {
  ANY,
  DURATION,
  ENUM_NAME,
  FIELD_MASK,
  LIST,
  MAP,
  MESSAGES,
  NULL_VALUE,
  PLAIN,
  SCALAR,
  SUBMESSAGE,
  TIMESTAMP,
  UNWRAPPED,
} from '../../protobuf/read/plan.ts';
import { ENUM, type ProtobufSchema } from '../../protobuf/schema/schema.ts';
import { MessageWriter } from '../../protobuf/write/message-writer.ts';
import { writePlanFor } from '../../protobuf/write/plan.ts';
import type { ProtoJsonOptions } from '../options.ts';
import { PartialSink } from '../../../sinks/partial/partial-sink.ts';
import { durationOf, durationText, hasLoneSurrogate, pathsOf, type Seconds, timestampOf } from '../text-forms.ts';
import { Capture, type Captured } from './captured.ts';
import { isText, shown, typeName } from './field-types.ts';
import { BOOLEAN, FieldValues, FOUND, type Kind, NULL, NUMBER, STRING_RANGE, TEXT } from './field-values.ts';
import { type Frame, HOLDER, IN_LIST, IN_MAP, IN_MESSAGE, KEYED } from './open-messages.ts';

/** Fields of the messages that are sent as the JSON value they hold: `google.protobuf.Value` by their order. */
const VALUE_NAME = 'google.protobuf.Value';
const VALUE_NULL = 0;
const VALUE_NUMBER = 1;
const VALUE_STRING = 2;
const VALUE_BOOLEAN = 3;
const VALUE_STRUCT = 4;
const VALUE_LIST = 5;

/** Keys of an Any: its type, as in JSON, and its value if that is not a record. */
const ANY_KEYS = ['@type', 'value'] as const;

/**
 * Turns the events of JSON into those of messages by a schema: the same as `ProtobufReader` sends for the bytes of the message. Fields
 * are sent in the order of the JSON, missing ones at the end of their message.
 */
export class MessageSink extends FieldValues {
  readonly #options: ProtoJsonOptions;
  /** True if well-known types are sent as their JSON equivalents. */
  readonly #sendsValues: boolean;
  readonly #isSequence: boolean;
  readonly #anyRecords: RecordId[] = [];
  #wrapper: RecordId | undefined;
  /** Open containers of a value that is skipped; −1 without one. */
  #skipped = -1;
  #capture: Capture | undefined;

  constructor(sink: Sink, options: ProtoJsonOptions, limits: Limits, schema: ProtobufSchema | undefined) {
    super(sink, options, limits, schema);
    this.#options = options;
    this.#sendsValues = options.wellKnownTypes === 'value';
    this.#isSequence = options.sequence === true;
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
    this.stringStart = from;
    this.stringEnd = end;
    this.#scalar(STRING_RANGE, null, start, end);
  }

  override text(value: string, start: number, end: number): void {
    this.checkText?.(value.length, start);
    this.#scalar(TEXT, value, start, end);
  }

  override key(start: number, from: number, end: number): void {
    if (this.#skipped < 0) this.keyText(this.textIn(from, end, this.repairedText === undefined), start, end);
  }

  override keyText(name: string, start: number, end: number): void {
    this.note(start);
    if (this.#skipped >= 0) return;
    const capture = this.#capture;
    if (capture !== undefined) {
      if (capture.has(name)) this.fail(`the key ${shown(name)} occurs twice`);
      capture.key(name);
      return;
    }
    const top = this.top!;
    if (top.kind === IN_MAP) {
      top.key = name;
      if (top.keys!.has(name)) this.fail(`the key ${shown(name)} occurs twice`);
      top.keys!.add(name);
      top.isDue = true;
      return;
    }
    const index = this.names.fieldsOf(top.type).get(name);
    if (index === undefined) {
      if (!this.skipsUnknown) this.fail(`unknown field ${shown(name)} of ${this.plan.names[top.type]}; set the option unknown: skip to ignore it`);
      this.#skipped = 0;
      return;
    }
    if (top.seen[index] !== 0) this.fail(`the field ${shown(name)} of ${this.plan.names[top.type]} occurs twice`);
    top.seen[index] = KEYED;
    top.field = this.plan.first[top.type]! + index;
    top.isDue = true;
    void end;
  }

  override beginObject(count: number, start: number, end: number): void {
    this.#begin(false, count, start, end);
  }

  override endObject(end: number): void {
    this.note(end);
    if (this.#skipped >= 0) {
      this.#endSkipped();
      return;
    }
    if (this.#capture !== undefined) {
      const captured = this.#capture.end();
      if (captured === undefined) return;
      this.#capture = undefined;
      this.#any(this.#typeOf(this.top), captured as Map<string, Captured>, end);
    } else if (this.top!.kind === IN_MAP) {
      if (this.top!.isOpen) this.closeMap(end);
      this.pop();
    } else {
      this.closeMessage(end);
    }
    this.valueEnds(end);
  }

  override beginArray(count: number, start: number, end: number): void {
    this.#begin(true, count, start, end);
  }

  override endArray(end: number): void {
    this.note(end);
    if (this.#skipped >= 0) {
      this.#endSkipped();
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.end();
      return;
    }
    const top = this.top;
    if (top === undefined) {
      this.sink.endArray(end);
      return;
    }
    if (top.isOpen) {
      if (top.count === 0 && this.plan.shape[top.field] === MESSAGES) this.sink.itemRecord?.(this.recordOf(this.plan.ref[top.field]!));
      this.sink.endArray(end);
    }
    this.pop();
    this.valueEnds(end);
  }

  /**
   * True if a string that the input cuts is text of a field, an item or an entry, whose list, field or key is then sent. False for
   * other types, and where the value may turn out to be an error.
   */
  opensText(): boolean {
    const { top, plan } = this;
    if (top === undefined || top.kind === HOLDER || this.#skipped >= 0 || this.#capture !== undefined) return false;
    const { field } = top;
    const isList = top.kind === IN_LIST;
    if (plan.shape[field] !== (isList ? LIST : SCALAR) || !isText(plan.type[field]!)) return false;
    if (isList) {
      if (!top.isOpen) this.openList(top, this.offset);
      return true;
    }
    if (top.kind === IN_MESSAGE) {
      if (top.isDue && this.otherMember(top) >= 0) return false;
      if (top.isDue) this.take(top);
    } else if (!isText(plan.type[plan.first[top.type]!]!) || hasLoneSurrogate(top.key)) return false;
    this.send(this.offset);
    return true;
  }

  /** Takes the begin of an array or object of JSON. */
  #begin(isArray: boolean, count: number, start: number, end: number): void {
    this.note(start);
    if (this.#skipped >= 0) {
      this.#skipped += 1;
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.begin(isArray ? [] : new Map());
      return;
    }
    if (isArray && this.#isSequence && !this.isRootOpen) {
      this.isRootOpen = true;
      this.sink.beginArray(count, start, end);
      return;
    }
    const top = this.top;
    if (top?.kind === IN_MESSAGE) {
      const { field } = top;
      this.take(top);
      const shape = this.plan.shape[field]!;
      if (isArray ? shape === LIST || shape === MESSAGES : shape === MAP) {
        if (isArray) this.pushList(field, start, this.plan.sendsDefaults);
        else this.pushMap(field, start, this.plan.sendsDefaults);
        return;
      }
      if (shape !== SUBMESSAGE) this.mismatch(isArray ? 'an array' : 'an object');
    }
    const type = this.#typeOf(top);
    if (isArray) this.#array(type, start);
    else this.#object(type, start, end);
  }

  /** Takes a scalar, whose string is in `from..end` of the window for `STRING_RANGE`. */
  #scalar(kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    this.note(start);
    if (this.#skipped >= 0) {
      if (this.#skipped === 0) this.#skipped = -1;
      return;
    }
    if (this.#capture !== undefined) {
      this.#capture.add(kind === STRING_RANGE ? this.ownText() : value);
      return;
    }
    const top = this.top;
    const field = top?.field ?? -1;
    if (top !== undefined && top.kind !== HOLDER) {
      if (kind === NULL && !this.#takesNull(field)) {
        // A null field is an absent one.
        if (top.kind === IN_MESSAGE) return;
        this.mismatch('null');
      }
      if (top.kind === IN_MESSAGE) {
        const shape = this.plan.shape[field]!;
        if (shape >= LIST) {
          this.take(top);
          this.fail(`expected ${shape === MAP ? 'an object' : 'an array'} but found ${FOUND[kind]}`);
        }
      }
      if (this.plan.shape[field] === SCALAR || this.plan.shape[field] === LIST) {
        this.single(field, kind, value, start, end);
        this.valueEnds(end);
        return;
      }
      if (top.kind === IN_MESSAGE) this.take(top);
    }
    this.#message(this.#typeOf(top), kind, value, start, end);
    this.valueEnds(end);
  }

  /** Type of the message that is expected. */
  #typeOf(top: Frame | undefined): number {
    if (top === undefined) return this.plan.root;
    if (top.kind === HOLDER) return top.type;
    const { type, ref } = this.plan;
    const { field } = top;
    if (this.plan.shape[field] === SCALAR || this.plan.shape[field] === LIST)
      this.fail(`expected ${typeName(type[field]!)} but found an object or array`);
    return ref[field]!;
  }

  /** True if null is a value of the field rather than its absence. */
  #takesNull(field: number): boolean {
    const { type, ref, shape, names } = this.plan;
    if (shape[field] === SUBMESSAGE || shape[field] === MESSAGES) {
      return names[ref[field]!] === VALUE_NAME && (shape[field] !== MESSAGES || this.top!.kind === IN_LIST);
    }
    if (shape[field] === LIST && this.top!.kind === IN_MESSAGE) return false;
    return (type[field] === NULL_VALUE || type[field] === ENUM || type[field] === ENUM_NAME) && this.#isNullValue(field);
  }

  #isNullValue(field: number): boolean {
    return this.schema.enums[this.plan.ref[field]!]!.name === 'google.protobuf.NullValue';
  }

  /** Sends a scalar of JSON as a value of a message type. */
  #message(type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    const plan = this.plan;
    const first = plan.first[type]!;
    switch (this.names.kinds[type]) {
      case UNWRAPPED: {
        if (plan.names[type] === VALUE_NAME) {
          const index = [VALUE_NULL, VALUE_BOOLEAN, VALUE_NUMBER, VALUE_STRING, VALUE_STRING][kind]!;
          if (kind === NUMBER && !Number.isFinite(Number(value))) this.fail('the number is out of range');
          this.#held(type, first + index, start, () => this.single(first + index, kind, value, start, end));
          return;
        }
        if (plan.shape[first] !== SCALAR || kind === NULL) break;
        this.#held(type, first, start, () => this.single(first, kind, value, start, end));
        return;
      }
      case TIMESTAMP:
      case DURATION: {
        if (kind < STRING_RANGE) break;
        const isTimestamp = this.names.kinds[type] === TIMESTAMP;
        const text = kind === TEXT ? (value as string) : this.ownText();
        const time = isTimestamp ? timestampOf(text) : durationOf(text);
        if (time === undefined)
          this.fail(`${shown(text)} is not ${isTimestamp ? 'a Timestamp such as 1970-01-01T00:00:00Z' : 'a Duration such as 1.5s'}`);
        this.send(start);
        if (!this.#sendsValues) this.#seconds(type, time, start, end);
        else if (isTimestamp) this.sink.date(time.seconds * 1000 + Math.floor(time.nanos / 1e6), start, end);
        else this.sink.text(durationText(time)!, start, end);
        return;
      }
      case FIELD_MASK: {
        if (kind < STRING_RANGE) break;
        const text = kind === TEXT ? (value as string) : this.ownText();
        const paths = pathsOf(text);
        if (paths === undefined) this.fail(`${shown(text)} is not a FieldMask: its paths are in lower camel case, joined by commas`);
        this.send(start);
        if (this.#sendsValues) {
          this.sink.text(paths.join(), start, end);
          return;
        }
        this.openMessage(type, true, start);
        this.setField(first);
        if (paths.length > 0 || plan.sendsDefaults) {
          this.send(start);
          this.sink.beginArray(paths.length, start, start);
          for (const path of paths) this.sink.text(path, start, end);
          this.sink.endArray(end);
        }
        this.closeMessage(end);
        return;
      }
      default:
    }
    this.mismatch(FOUND[kind]);
  }

  /** Opens an object as a message of a type. */
  #object(type: number, start: number, end: number): void {
    const plan = this.plan;
    const first = plan.first[type]!;
    const kind = this.names.kinds[type];
    if (kind === PLAIN) {
      this.send(start);
      this.openMessage(type, false, start, end);
    } else if (kind === ANY) {
      this.#capture = new Capture();
      this.#capture.begin(new Map());
    } else if (kind === UNWRAPPED && plan.names[type] === VALUE_NAME) {
      const field = first + VALUE_STRUCT;
      this.#hold(type, field, start);
      this.#object(plan.ref[field]!, start, end);
    } else if (kind === UNWRAPPED && plan.shape[first] === MAP) {
      this.#hold(type, first, start);
      this.pushMap(first, start, plan.sendsDefaults || this.#sendsValues);
    } else {
      this.mismatch('an object');
    }
  }

  /** Opens an array as a message of a type. */
  #array(type: number, start: number): void {
    const plan = this.plan;
    const first = plan.first[type]!;
    if (this.names.kinds[type] === UNWRAPPED && plan.names[type] === VALUE_NAME) {
      const field = first + VALUE_LIST;
      this.#hold(type, field, start);
      this.#array(plan.ref[field]!, start);
    } else if (this.names.kinds[type] === UNWRAPPED && plan.shape[first] === MESSAGES) {
      this.#hold(type, first, start);
      this.pushList(first, start, plan.sendsDefaults || this.#sendsValues);
    } else {
      this.mismatch('an array');
    }
  }

  /** Begins a message that holds one value, unless it is sent as that value. It ends after the value. */
  #hold(type: number, field: number, start: number): void {
    if (this.#sendsValues) return;
    this.send(start);
    this.openMessage(type, true, start);
    this.setField(field);
  }

  /** Sends a message with the one scalar it holds, or only that. */
  #held(type: number, field: number, start: number, sendScalar: () => void): void {
    this.#hold(type, field, start);
    sendScalar();
  }

  #seconds(type: number, { seconds, nanos }: Seconds, start: number, end: number): void {
    const first = this.plan.first[type]!;
    this.openMessage(type, true, start);
    this.setField(first);
    this.long(first, seconds, start, end);
    this.setField(first + 1);
    this.int(first + 1, nanos, start, end);
    this.closeMessage(end);
  }

  /** Sends an Any with the object that stands for it. */
  #any(type: number, object: Map<string, Captured>, at: number): void {
    const plan = this.plan;
    const inner = this.#typeOfAny(object);
    const address = object.get('@type') as string;
    const isWellKnown = inner >= 0 && this.names.kinds[inner] !== PLAIN;
    if (!this.#sendsValues) {
      const bytes = inner < 0 ? new Uint8Array(0) : this.#bytesOf(inner, object, isWellKnown);
      if (bytes.length > this.limits.binaryLength) this.input.exceed('binaryLength', at);
      this.send(at);
      this.openMessage(type, true, at);
      if (inner >= 0) {
        this.setField(plan.first[type]!);
        this.send(at);
        this.sink.text(address, at, at);
        this.setField(plan.first[type]! + 1);
        if (!this.isLeftOut(plan.first[type]! + 1, bytes.length === 0)) {
          this.send(at);
          this.sendBytes(bytes);
        }
      }
      this.closeMessage(at);
      return;
    }
    this.send(at);
    if (inner >= 0 && !isWellKnown) {
      const record = (this.#anyRecords[inner] ??= this.sink.defineRecord(['@type', ...plan.keys[inner]!]));
      this.openMessage(inner, false, at, at, record);
      this.sink.field(0, at, at);
      this.sink.text(address, at, at);
      this.#replayFields(object, at);
      this.closeMessage(at);
      return;
    }
    this.sink.beginRecord((this.#wrapper ??= this.sink.defineRecord(ANY_KEYS)), at, at);
    if (inner >= 0) {
      this.sink.field(0, at, at);
      this.sink.text(address, at, at);
    }
    this.sink.field(1, at, at);
    if (inner < 0) this.sendBytes(new Uint8Array(0));
    else {
      this.push(HOLDER, inner);
      this.#replay(object.get('value')!, at);
      this.pop();
    }
    this.sink.endRecord(at);
  }

  /** The type of the message in an Any; −1 if the Any is empty. */
  #typeOfAny(object: Map<string, Captured>): number {
    if (object.size === 0) return -1;
    const plan = this.plan;
    const address = object.get('@type');
    if (typeof address !== 'string') this.fail('an Any needs its type as @type');
    const type = /^.*\/./s.test(address) ? plan.messageNamed(address.slice(address.lastIndexOf('/') + 1)) : -1;
    if (type < 0) this.fail(`unknown type ${shown(address)} of an Any`);
    const name = plan.names[type]!;
    const value = object.get('value');
    // Some libraries write an Empty as if it were a value.
    if (name === 'google.protobuf.Empty' && value instanceof Map && value.size === 0) object.delete('value');
    if (this.names.kinds[type] === PLAIN) return type;
    const other = [...object.keys()].find((key) => key !== '@type' && key !== 'value');
    if (other !== undefined && !this.skipsUnknown) this.fail(`unknown field ${shown(other)} of an Any with ${name}`);
    if (value === undefined) this.fail(`the field value of an Any with ${name} is missing`);
    return type;
  }

  /** The bytes of the message in an Any. */
  #bytesOf(type: number, object: Map<string, Captured>, isWellKnown: boolean): Uint8Array<ArrayBuffer> {
    const schema = this.names.rootedAt(type);
    const { partial, unknown } = this.#options;
    const options = { defaults: 'none', int64: 'bigint', maps: 'map', partial, unknown } as const;
    const values = new PartialSink();
    const inner = new MessageSink(values, options, this.limits, schema);
    try {
      if (isWellKnown) inner.#replay(object.get('value')!, 0);
      else {
        inner.beginObject(-1, 0, 0);
        inner.#replayFields(object, 0);
        inner.endObject(0);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(error.code, error.reason, { offset: this.offset, path: [...this.path(), ...inner.path()] });
    }
    const session = new MessageWriter(writePlanFor(schema, { partial }), { partial }, this.limits).session();
    session.write(values.snapshot(undefined)).run();
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
        this.#any(this.#typeOf(this.top), value, at);
        this.valueEnds(at);
        return;
      }
      for (const [key, item] of value) {
        this.keyText(key, at, at);
        this.#replay(item, at);
      }
      this.endObject(at);
    }
  }

  #endSkipped(): void {
    this.#skipped -= 1;
    if (this.#skipped === 0) this.#skipped = -1;
  }
}
