import { pass, soft, STOPPED } from '../../../bytes/output.ts';
import { DecodeError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, type Items, itemsOf } from '../../../writing/binary-values.ts';
import { NOT_COUNTED, mayHaveExtraKeys, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import { writeText } from '../../json/write/json-writer.ts';
import { ProtobufReader } from '../../protobuf/reader.ts';
import { ANY, DURATION, FIELD_MASK, keysOf, PLAIN, TIMESTAMP } from '../../protobuf/schema/names.ts';
import { INT32, INT64, type ProtobufSchema, STRING } from '../../protobuf/schema/schema.ts';
import {
  checkOneofs,
  type FieldNode,
  LIST,
  MAP,
  type MessageNode,
  MESSAGES,
  PACKED,
  SUBMESSAGE,
  takesNull,
  UNKNOWN,
  type WritePlan,
  writePlanFor,
} from '../../protobuf/write/plan.ts';
import { checkInt32, checkInt64, isZero, mapKeyOf } from '../../protobuf/write/scalars.ts';
import { wellKnownMessage } from '../../protobuf/write/well-known.ts';
import type { ProtoJsonWriteOptions } from '../options.ts';
import { PartialSink } from '../../../sinks/partial/partial-sink.ts';
import { durationText, pathsText, timestampText } from '../text-forms.ts';
import { scalarText, zeroOf } from './scalar-text.ts';

/** UTF-16 units of text collected before they are encoded. */
const RUN_UNITS = 1 << 14;

/** Container in which writing resumes. */
const IN_ROOTS = 0;
const IN_MESSAGE = 1;
const IN_LIST = 2;
const IN_MAP = 3;
const IN_ANY = 4;

/** Resume point in the roots, a message, a list, a map or an Any: writing continues at `next`. */
interface ResumePoint {
  readonly kind: number;
  readonly next: number;
  readonly node?: MessageNode | undefined;
  readonly field?: FieldNode | undefined;
  readonly keys?: readonly unknown[] | undefined;
  readonly isEmpty?: boolean;
}

/** Names of the fields with their colon, by message, in the order of its node. */
type Labels = ReadonlyMap<MessageNode, readonly string[]>;

const labels = new WeakMap<WritePlan, Labels>();

/** Writes messages as ProtoJSON, by the plan of their binary form. */
export class JsonMessageWriter extends Writer {
  readonly #schema: ProtobufSchema;
  readonly #plan: WritePlan;
  readonly #labels: Labels;
  readonly #options: ProtoJsonWriteOptions;
  readonly #limits: Limits;
  readonly #refusesExtra: boolean;
  /** Text that is not encoded yet. */
  #text = '';

  constructor(schema: ProtobufSchema, options: ProtoJsonWriteOptions, limits: Limits) {
    super(limits);
    this.#schema = schema;
    this.#plan = writePlanFor(schema, options);
    this.#labels = labelsOf(this.#plan, schema);
    this.#options = options;
    this.#limits = limits;
    this.#refusesExtra = (options.extraKeys ?? 'error') === 'error';
  }

  override write(value: unknown, at: number): number {
    if (!this.#options.sequence) return this.#roots([value], 0, at);
    this.open();
    return this.#roots(this.#list(value), 0, at);
  }

  protected override reset(): void {
    super.reset();
    this.#text = '';
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    const { kind, next, node, field, keys, isEmpty } = point as ResumePoint;
    switch (kind) {
      case IN_ROOTS:
        return this.#roots(container as Items, next, at);
      case IN_MESSAGE:
        return this.#fields(node!, container as Record<string, unknown>, next, isEmpty!, at);
      case IN_LIST:
        return this.#items(field!, container as Items, next, at, this.resumedCount);
      case IN_MAP:
        return this.#entries(field!, container as Record<string, unknown>, keys!, next, at);
      default:
        this.depth -= 1;
        return this.#put('}', at);
    }
  }

  protected override stepOf(point: unknown): string | number | undefined {
    const { kind, next, node, keys } = point as ResumePoint;
    if (kind === IN_ANY || (kind === IN_ROOTS && !this.#options.sequence)) return undefined;
    if (kind === IN_MAP) return String(keys![next - 1]);
    return kind === IN_MESSAGE ? node!.fields[next - 1]!.key : next - 1;
  }

  /** Writes the values at the root, in a sequence each followed by a line feed, and encodes the text that is left. */
  #roots(values: Items, from: number, at: number): number {
    const { length } = values;
    const isSequence = this.#options.sequence === true;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (index > 0) at = this.#put('\n', at);
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(values, { kind: IN_ROOTS, next: index }, length);
        at = this.#message(this.#plan.root, values[index], at);
        if (at === STOPPED) return this.#stop(values, { kind: IN_ROOTS, next: index + 1 }, length);
      }
    } catch (error) {
      throw this.at(isSequence ? index : undefined, error, values);
    }
    if (values.length !== length) this.fail('changed', 'a list that changes while it is written');
    if (isSequence && length > 0) this.#text += '\n';
    return this.#flush(at);
  }

  #message(node: MessageNode, value: unknown, at: number): number {
    if (this.depth >= this.callDepth) return this.postpone(at, this.#message.bind(this, node, value));
    if (node.kind === ANY) return this.#any(node, value, at);
    const given = node.isValue || (node.kind === TIMESTAMP && isDate(value)) ? wellKnownMessage(node, value) : value;
    const message = this.#object(node, given);
    if (node.kind !== PLAIN) return this.#wellKnown(node, message, at);
    this.open(message);
    return this.#fields(node, message, 0, true, this.#put('{', at));
  }

  /** Writes the fields from `from` on, and the end of the message. `isEmpty`: nothing comes before them. */
  #fields(node: MessageNode, value: Record<string, unknown>, from: number, isEmpty: boolean, at: number): number {
    const { fields } = node;
    const names = this.#labels.get(node)!;
    let index = from;
    let isFirst = isEmpty;
    if (from === 0 && node.oneofs.length > 0) checkOneofs(node, value);
    try {
      for (; index < fields.length; index += 1) {
        const field = fields[index]!;
        const item = Object.hasOwn(value, field.key) ? value[field.key] : undefined;
        if (item === undefined || (item === null && !takesNull(field))) {
          if (field.isRequired && node.hasRequired) this.fail('missing', 'a required field is missing');
          continue;
        }
        const { op, enumType } = field;
        if (op === UNKNOWN || (op < SUBMESSAGE && field.skipsZero && isZero(op, item, enumType)) || this.#isEmpty(field, item)) continue;
        const name = isFirst ? names[index]! : `,${names[index]!}`;
        isFirst = false;
        if (op < SUBMESSAGE) at = this.#put(name + scalarText(op, item, enumType), at);
        else at = this.#container(field, item, this.#put(name, at));
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) {
          return this.#stop(value, { kind: IN_MESSAGE, next: index + 1, node, isEmpty: isFirst });
        }
      }
    } catch (error) {
      throw index < fields.length ? this.at(fields[index]!.key, error, value) : error;
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, NOT_COUNTED)) refuseExtraKeys(value, node.name, fields, node.isOther);
    this.depth -= 1;
    return this.#put('}', at);
  }

  /** True for a list or map without items, which is left out. */
  #isEmpty({ op }: FieldNode, item: unknown): boolean {
    if (op === LIST || op === PACKED || op === MESSAGES) return this.#list(item).length === 0;
    return op === MAP && (isMap(item) ? item.size === 0 : Object.keys(this.#map(item)).length === 0);
  }

  /** Writes a message, list or map. */
  #container(field: FieldNode, value: unknown, at: number): number {
    if (field.op === SUBMESSAGE) return this.#message(field.message!, value, at);
    if (field.op === MAP) {
      const map = this.#map(value);
      this.open(map);
      return this.#entries(field, map, isMap(map) ? [...map.keys()] : Object.keys(map), 0, this.#put('{', at));
    }
    const list = this.#list(value);
    this.open(list);
    return this.#items(field, list, 0, this.#put('[', at), list.length);
  }

  #items(field: FieldNode, list: Items, from: number, at: number, length: number): number {
    const { type, enumType } = field;
    const isScalar = field.op !== MESSAGES;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(list, { kind: IN_LIST, next: index, field }, length);
        if (index > 0) this.#text += ',';
        if (isScalar) at = this.#put(scalarText(type, list[index], enumType), at);
        else at = this.#message(field.message!, list[index], at);
        if (at === STOPPED) return this.#stop(list, { kind: IN_LIST, next: index + 1, field }, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return this.#put(']', at);
  }

  #entries(field: FieldNode, value: Record<string, unknown>, keys: readonly unknown[], from: number, at: number): number {
    const [keyField, valueField] = field.message!.fields as [FieldNode, FieldNode];
    const map = isMap(value) ? value : undefined;
    let index = from;
    try {
      for (; index < keys.length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(value, { kind: IN_MAP, next: index, field, keys });
        const key = keys[index];
        const item = map ? map.get(key) : value[key as string];
        const text = scalarText(keyField.type, map ? key : mapKeyOf(keyField.type, key as string), undefined);
        this.#text += `${index > 0 ? ',' : ''}${text.startsWith('"') ? text : `"${text}"`}:`;
        if (valueField.op === SUBMESSAGE) at = this.#message(valueField.message!, item, at);
        else at = this.#put(scalarText(valueField.type, item, valueField.enumType), at);
        if (at === STOPPED) return this.#stop(value, { kind: IN_MAP, next: index + 1, field, keys });
      }
    } catch (error) {
      throw this.at(String(keys[index]), error, value);
    }
    this.depth -= 1;
    return this.#put('}', at);
  }

  /** Writes a well-known type, given as its message. */
  #wellKnown(node: MessageNode, value: Record<string, unknown>, at: number): number {
    const [first, second] = node.fields as [FieldNode, FieldNode];
    const item = (field: FieldNode): unknown => (Object.hasOwn(value, field.key) ? value[field.key] : undefined);
    if (!node.isValue && this.#refusesExtra && mayHaveExtraKeys(value, NOT_COUNTED)) refuseExtraKeys(value, node.name, node.fields, node.isOther);
    switch (node.kind) {
      case TIMESTAMP:
      case DURATION: {
        const time = { seconds: Number(checkInt64(INT64, item(first) ?? 0)), nanos: checkInt32(INT32, item(second) ?? 0) };
        const text = node.kind === TIMESTAMP ? timestampText(time) : durationText(time);
        if (text === undefined) this.fail('range', `${time.seconds} s and ${time.nanos} ns are out of the range of ${node.name} in JSON`);
        return this.#put(`"${text}"`, at);
      }
      case FIELD_MASK: {
        const paths = Array.from(this.#list(item(first) ?? []), (path) => JSON.parse(scalarText(STRING, path, undefined)) as string);
        const text = pathsText(paths);
        if (text === undefined) this.fail('range', 'a path of a FieldMask would not come back from lower camel case');
        return this.#put(JSON.stringify(text), at);
      }
      default:
    }
    if (node.name === 'google.protobuf.Value') {
      const set = node.fields.filter((field) => item(field) !== undefined && (item(field) !== null || field.enumType !== undefined));
      const [held] = set;
      if (held === undefined || set.length > 1) this.fail('type', 'a google.protobuf.Value needs exactly one of its fields');
      if (held.op >= SUBMESSAGE) return this.#container(held, item(held), at);
      if (typeof item(held) === 'number' && !Number.isFinite(item(held)))
        this.fail('range', `${String(item(held))} is out of range (google.protobuf.Value)`);
      return this.#put(held.enumType ? 'null' : scalarText(held.op, item(held), undefined), at);
    }
    if (first.op >= SUBMESSAGE) return this.#container(first, item(first) ?? (first.op === MAP ? {} : []), at);
    return this.#put(scalarText(first.op, item(first) ?? zeroOf(first.op), undefined), at);
  }

  /** Writes an Any: the message in its bytes or, with well-known types as values, the object with `@type`. */
  #any(node: MessageNode, value: unknown, at: number): number {
    const given = this.#object(node, value);
    const addressKey = node.isValue ? '@type' : node.fields[0]!.key;
    const address = Object.hasOwn(given, addressKey) ? given[addressKey] : undefined;
    if (address === undefined || address === '') {
      const content = node.isValue ? given['value'] : given[node.fields[1]!.key];
      if ((bytesOf(content)?.length ?? 0) === 0) return this.#put('{}', at);
    }
    const name = String(address).replace(/^.*\//s, '');
    const message = this.#plan.byName.get(name);
    if (typeof address !== 'string' || message === undefined) this.fail('unknown', `unknown type ${String(address).slice(0, 60)} of an Any`);
    const content = node.isValue ? (message.isValue ? given['value'] : given) : this.#contentOf(name, given[node.fields[1]!.key]);
    this.open(given);
    const next = this.#put(`{"@type":${scalarText(STRING, address, undefined)}`, at);
    if (message.kind === PLAIN) return this.#fields(message, this.#object(message, content), 0, false, next);
    const end = this.#message(message, content, this.#put(',"value":', next));
    if (end === STOPPED) return this.#stop(given, { kind: IN_ANY, next: 0 });
    this.depth -= 1;
    return this.#put('}', end);
  }

  /** Decodes the bytes of an Any. */
  #contentOf(name: string, value: unknown): unknown {
    const bytes = value === undefined || value === null ? new Uint8Array(0) : bytesOf(value);
    if (bytes === undefined) this.fail('type', `${kindOf(value)} where the bytes of an Any are expected`);
    const { names, partial } = this.#options;
    const schema = { ...this.#schema, root: this.#schema.messages.findIndex((message) => message.name === name) };
    const sink = new PartialSink();
    try {
      new ProtobufReader(sink, { names, partial, defaults: 'none', int64: 'bigint', maps: 'map' }, this.#limits, schema).end(bytes);
    } catch (error) {
      if (error instanceof DecodeError) this.fail('type', `the bytes of the Any are not ${name}: ${error.reason}`);
      throw error;
    }
    return sink.snapshot(undefined);
  }

  #object(node: MessageNode, value: unknown): Record<string, unknown> {
    const isObject = typeof value === 'object' && value !== null;
    if (!isObject || itemsOf(value) !== undefined || bytesOf(value) !== undefined || isDate(value) || isMap(value))
      this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
    return value as Record<string, unknown>;
  }

  #map(value: unknown): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || itemsOf(value) !== undefined || isDate(value))
      this.fail('type', `${kindOf(value)} where a map is expected`);
    return value as Record<string, unknown>;
  }

  #list(value: unknown): Items {
    return itemsOf(value) ?? this.fail('type', `${kindOf(value)} where a list is expected`);
  }

  /** Adds text, which is encoded once there is enough. Returns the position after the encoded bytes. */
  #put(text: string, at: number): number {
    this.#text += text;
    return this.#text.length < RUN_UNITS ? at : this.#flush(at);
  }

  #flush(at: number): number {
    const text = this.#text;
    this.#text = '';
    return writeText(text, at);
  }

  #stop(container: object, point: ResumePoint, count?: number): number {
    return this.stopped(container, point, count);
  }
}

function labelsOf(plan: WritePlan, schema: ProtobufSchema): Labels {
  let known = labels.get(plan);
  if (known === undefined) {
    known = new Map(
      schema.messages.map((message) => {
        const keys = keysOf(message, 'json', false, false);
        const order = message.fields.map(({ number }, index) => ({ number, label: `${JSON.stringify(keys[index])}:` }));
        return [plan.byName.get(message.name)!, order.toSorted((a, b) => a.number - b.number).map(({ label }) => label)];
      }),
    );
    labels.set(plan, known);
  }
  return known;
}
