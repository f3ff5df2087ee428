import { DecodeError, SchemaError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import { ForwardingSink } from '../../../sinks/forwarding-sink.ts';
import { Input } from '../../protobuf/read/input.ts';
import { DEFAULTED, MAP, MESSAGES, type Plan, planFor, RAW_STRING, SCALAR, SUBMESSAGE, ZERO } from '../../protobuf/read/plan.ts';
import { Scalars } from '../../protobuf/read/scalars.ts';
import { BOOL, type ProtobufSchema, STRING } from '../../protobuf/schema/schema.ts';
import type { ProtoJsonOptions } from '../options.ts';
import { hasLoneSurrogate, integerOf } from '../text-forms.ts';
import { type Names, namesOf } from './names.ts';
import { isLong, isInRange, typeName, shown } from './field-types.ts';

/** Kinds of frames: a message, a list, a map, and a place for one value of a message type. */
export const IN_MESSAGE = 0;
export const IN_LIST = 1;
export const IN_MAP = 2;
export const HOLDER = 3;

/** Bits of `Frame.seen`: the key was there, and it has a value other than null. */
export const KEYED = 1;
const PRESENT = 2;

/** An open message, list or map. Frames are reused. */
export class Frame {
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

/** The messages, lists and maps that are open, and how they are sent: a field with its first value, and what is missing at the end. */
export abstract class OpenMessages extends ForwardingSink {
  protected readonly plan: Plan;
  protected readonly schema: ProtobufSchema;
  protected readonly names: Names;
  protected readonly limits: Limits;
  protected readonly input: Input;
  protected readonly scalars: Scalars;
  /** The innermost frame; undefined at the root. */
  protected top: Frame | undefined;
  /** Offset of the last event in the input. */
  protected offset = 0;
  /** The list of a sequence is open. */
  protected isRootOpen = false;
  readonly #records: RecordId[] = [];
  readonly #frames: Frame[] = [];
  #depth = 0;
  /** Messages of the sequence that have begun. */
  #roots = 0;

  constructor(sink: Sink, options: ProtoJsonOptions, limits: Limits, schema: ProtobufSchema | undefined) {
    super(sink);
    if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'protojson' });
    this.schema = schema;
    this.plan = planFor(schema, options as object);
    this.names = namesOf(schema);
    this.limits = limits;
    this.input = new Input(sink, limits);
    this.scalars = new Scalars(this.plan, this.input, sink, limits);
  }

  protected beforeValue(): void {}

  override window(bytes: Uint8Array, view: DataView, base: number): void {
    super.window(bytes, view, base);
    this.input.useWindow(bytes, view, base);
  }

  /** Steps from the root to the value that is expected or being read. Sinks do not know a field before it is sent. */
  override path(): (string | number)[] {
    const path: (string | number)[] = this.isRootOpen ? [this.#depth > 0 ? this.#roots - 1 : this.#roots] : [];
    for (let depth = 0; depth < this.#depth; depth += 1) {
      const frame = this.#frames[depth]!;
      const isTop = depth === this.#depth - 1;
      if (frame.kind === IN_LIST) path.push(isTop ? frame.count : frame.count - 1);
      else if (frame.kind === HOLDER) path.push('value');
      else if (!isTop || frame.isDue) {
        path.push(frame.kind === IN_MAP ? frame.key : this.plan.keys[frame.type]![frame.field - this.plan.first[frame.type]!]!);
      }
    }
    return path;
  }

  /** The next value of the message is that of a field. */
  protected setField(field: number): void {
    const top = this.top!;
    top.field = field;
    top.isDue = true;
    this.take(top);
  }

  /** Marks the field of the next value as present. */
  protected take(top: Frame): void {
    const index = top.field - this.plan.first[top.type]!;
    top.seen[index] = KEYED | PRESENT;
    const oneof = this.plan.oneof[top.field]!;
    if (oneof < 0) return;
    const other = this.otherMember(top);
    if (other >= 0) {
      const { name } = this.plan.fields[this.plan.first[top.type]! + other]!;
      this.fail(`a oneof must not have two members: ${name} and ${this.plan.fields[top.field]!.name}`);
    }
    top.oneofs[oneof] = index + 1;
  }

  /** Index of another member of the next field's oneof that has a value; −1 without one. */
  protected otherMember({ field, type, oneofs }: Frame): number {
    const oneof = this.plan.oneof[field]!;
    const other = oneof < 0 ? -1 : oneofs[oneof]! - 1;
    return other === field - this.plan.first[type]! ? -1 : other;
  }

  /** Sends the field, key or container that the next value belongs to, unless it is sent. */
  protected send(start: number): void {
    const top = this.top;
    if (top === undefined || top.kind === HOLDER) return;
    if (top.kind === IN_LIST) {
      top.count += 1;
      if (!top.isOpen) this.openList(top, start);
    } else if (top.isDue) {
      top.isDue = false;
      if (top.kind === IN_MESSAGE) this.sink.field(top.field - this.plan.first[top.type]! + top.shift, start, start);
      else {
        if (!top.isOpen) this.#openMap(top, start);
        this.#mapKey(top, start);
      }
    }
  }

  protected openList(frame: Frame, start: number): void {
    this.#sendOuter(frame, start);
    this.sink.beginArray(-1, start, start);
    frame.isOpen = true;
  }

  #openMap(frame: Frame, start: number): void {
    this.#sendOuter(frame, start);
    if (this.plan.mapsAsObjects) this.sink.beginObject(-1, start, start);
    else this.sink.beginMap(-1, start, start);
    frame.isOpen = true;
  }

  /** Sends the field or key to which a list or map belongs. */
  #sendOuter(frame: Frame, start: number): void {
    this.top = this.#frames[frame.depth - 1];
    this.send(start);
    this.top = frame;
  }

  protected closeMap(end: number): void {
    if (this.plan.mapsAsObjects) this.sink.endObject(end);
    else this.sink.endMap(end);
  }

  #mapKey({ type: entry, key }: Frame, start: number): void {
    const plan = this.plan;
    const field = plan.first[entry]!;
    const type = plan.type[field]!;
    let text = key;
    if (type === STRING || type === RAW_STRING) {
      if (hasLoneSurrogate(key)) this.fail('a key has a lone surrogate');
    } else if (type === BOOL) {
      if (key !== 'true' && key !== 'false') this.fail(`the key ${shown(key)} is neither true nor false`);
    } else {
      const value = integerOf(key);
      if (value === undefined || !isInRange(type, value)) this.fail(`the key ${shown(key)} is not ${typeName(type)}`);
      text = String(value);
      if (!plan.mapsAsObjects) {
        if (isLong(type)) this.sendLong(value, start, start);
        else this.sink.integer(Number(value), start, start);
        return;
      }
    }
    if (plan.mapsAsObjects) this.sink.keyText(text, start, start);
    else if (type === BOOL) this.sink.boolean(key === 'true', start, start);
    else this.sink.text(key, start, start);
  }

  protected sendLong(value: number | bigint, start: number, end: number): void {
    const { int64 } = this.plan;
    const near = Number(value);
    if (int64 === 'string') this.sink.text(String(value), start, end);
    else if (int64 === 'bigint' || (int64 === 'auto' && !Number.isSafeInteger(near))) this.sink.bigint(BigInt(value), start, end);
    else if (Number.isSafeInteger(near)) this.sink.integer(near, start, end);
    else this.sink.float(near, start, end);
  }

  protected recordOf(type: number): RecordId {
    return (this.#records[type] ??= this.sink.defineRecord(this.plan.keys[type]!));
  }

  protected openMessage(type: number, isImplicit: boolean, start: number, end = start, record?: RecordId): void {
    this.scalars.budget.receive(this.offset);
    this.sink.beginRecord(record ?? this.recordOf(type), start, end);
    const frame = this.push(IN_MESSAGE, type);
    frame.isImplicit = isImplicit;
    frame.shift = record === undefined ? 0 : 1;
    const count = this.plan.count[type]!;
    if (frame.seen.length < count) frame.seen = new Uint8Array(count * 2);
    else frame.seen.fill(0, 0, count);
    const oneofs = this.plan.oneofCount[type]!;
    if (frame.oneofs.length < oneofs) frame.oneofs = new Int32Array(oneofs * 2);
    else frame.oneofs.fill(0, 0, oneofs);
  }

  /** Sends what is missing of the innermost message, and its end. */
  protected closeMessage(end: number): void {
    const plan = this.plan;
    const frame = this.top!;
    const { type, seen, shift } = frame;
    const first = plan.first[type]!;
    const count = plan.count[type]!;
    if (plan.checksRequired) {
      for (const index of plan.required[type]!) {
        if ((seen[index]! & PRESENT) === 0) this.fail(`the required field ${plan.fields[first + index]!.name} of ${plan.names[type]} is missing`);
      }
    }
    if (plan.sendsDefaults)
      for (let index = 0; index < count; index += 1) if ((seen[index]! & PRESENT) === 0) this.#missing(first + index, index + shift, end);
    if (plan.oneofKeys) {
      for (let oneof = 0; oneof < plan.oneofCount[type]!; oneof += 1) {
        const member = frame.oneofs[oneof]!;
        if (member === 0) continue;
        this.sink.field(count + oneof + shift, end, end);
        this.scalars.constant(plan.fieldNames[first + member - 1]!);
      }
    }
    this.sink.endRecord(end);
    this.pop();
  }

  /** Sends the default of a missing field, if the options ask for it. */
  #missing(field: number, key: number, at: number): void {
    const plan = this.plan;
    const { sink } = this;
    if ((plan.flags[field]! & DEFAULTED) === 0) return;
    this.scalars.budget.spend(1, this.offset);
    this.scalars.count(1, at);
    sink.field(key, at, at);
    if ((plan.flags[field]! & ZERO) !== 0) {
      sink.integer(0, at, at);
      return;
    }
    switch (plan.shape[field]) {
      case SCALAR:
        this.scalars.defaultValue(plan.type[field]!, field, at);
        break;
      case SUBMESSAGE:
        sink.null(at, at);
        break;
      case MAP:
        if (plan.mapsAsObjects) sink.beginObject(0, at, at);
        else sink.beginMap(0, at, at);
        this.closeMap(at);
        break;
      default:
        sink.beginArray(0, at, at);
        if (plan.shape[field] === MESSAGES) sink.itemRecord?.(this.recordOf(plan.ref[field]!));
        sink.endArray(at);
    }
  }

  protected pushList(field: number, start: number, isSent: boolean): void {
    const frame = this.push(IN_LIST, -1);
    frame.field = field;
    frame.isOpen = false;
    frame.count = 0;
    if (isSent) this.openList(frame, start);
  }

  protected pushMap(field: number, start: number, isSent: boolean): void {
    const type = this.plan.ref[field]!;
    const frame = this.push(IN_MAP, type);
    frame.field = this.plan.first[type]! + 1;
    frame.isOpen = false;
    frame.isDue = false;
    frame.keys = new Set();
    if (isSent) this.#openMap(frame, start);
  }

  protected push(kind: number, type: number): Frame {
    const frame = (this.#frames[this.#depth] ??= new Frame(this.#depth));
    if (this.#depth === 0) this.#roots += 1;
    this.#depth += 1;
    this.scalars.count(1, 0);
    frame.kind = kind;
    frame.type = type;
    frame.isImplicit = false;
    frame.isDue = false;
    this.top = frame;
    return frame;
  }

  protected pop(): void {
    this.#depth -= 1;
    this.#frames[this.#depth]!.keys = undefined;
    this.top = this.#frames[this.#depth - 1];
  }

  /** Ends the messages that hold the value that has ended. */
  protected valueEnds(end: number): void {
    while (this.top !== undefined && this.top.kind === IN_MESSAGE && this.top.isImplicit) this.closeMessage(end);
  }

  /** Notes the position of an event in the input. */
  protected note(position: number): void {
    if (this.base >= 0) this.offset = this.base + position;
  }

  /** Sends the field or key of a value that has not come, so that it is in the path of an error. */
  settle(): void {
    if (this.top?.isDue) this.send(0);
  }

  /** Throws a DecodeError. */
  protected fail(reason: string): never {
    throw new DecodeError('malformed', reason, { offset: this.offset, path: this.path() });
  }
}
