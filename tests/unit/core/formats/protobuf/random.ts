import * as types from '../../../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';

/** Seeded pseudo-random numbers. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b9);
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const SCALARS = [
  'double',
  'float',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string',
  'bytes',
];
const KEYS = SCALARS.filter((name) => !['double', 'float', 'bytes'].includes(name));

export type Syntax = 'proto2' | 'proto3' | '2023';

/** A `.proto` text with a few messages that refer to each other; the root is `t.M0`. */
export function randomProto(dice: Dice, syntax: Syntax): string {
  const messages = 2 + dice.below(3);
  const enums = ['E0', 'E1'];
  const lines = [syntax === '2023' ? 'edition = "2023";' : `syntax = "${syntax}";`, 'package t;'];
  if (syntax === '2023' && dice.chance(0.5)) lines.push('option features.field_presence = IMPLICIT;');
  lines.push('enum E0 { A0 = 0; B0 = 1; C0 = 5; }', 'enum E1 { option allow_alias = true; A1 = 0; B1 = 2; ALIAS = 2; NEGATIVE = -3; }');
  for (let m = 0; m < messages; m += 1) {
    const numbers = new Set<number>();
    const number = (): number => {
      for (;;) {
        const n = dice.chance(0.8) ? 1 + dice.below(15) : 1 + dice.below(dice.chance(0.5) ? 300 : 200_000);
        if (numbers.has(n) || (n >= 19_000 && n < 20_000)) continue;
        numbers.add(n);
        return n;
      }
    };
    const type = (): string => (dice.chance(0.25) ? `M${dice.below(messages)}` : dice.chance(0.15) ? dice.pick(enums) : dice.pick(SCALARS));
    const body: string[] = [];
    const fields = 1 + dice.below(9);
    for (let f = 0; f < fields; f += 1) {
      const name = `f${f}${dice.chance(0.3) ? '_a_b' : ''}`;
      const kind = dice.next();
      if (kind < 0.12) {
        body.push(`map<${dice.pick(KEYS)}, ${type()}> ${name} = ${number()};`);
      } else if (kind < 0.22) {
        const members = Array.from({ length: 1 + dice.below(3) }, (_, i) => `${type()} ${name}_${i} = ${number()};`);
        body.push(`oneof o${f} { ${members.join(' ')} }`);
      } else if (kind < 0.28 && syntax === 'proto2') {
        body.push(`${dice.pick(['optional', 'repeated'])} group G${m}x${f} = ${number()} { optional int32 g = 1; repeated string h = 2; }`);
      } else if (kind < 0.5) {
        const item = type();
        const packable = SCALARS.includes(item) && item !== 'string' && item !== 'bytes';
        const option = packable && dice.chance(0.3) && syntax !== '2023' ? ` [packed = ${dice.chance(0.5)}]` : '';
        const delimited = syntax === '2023' && item.startsWith('M') && dice.chance(0.3);
        body.push(`repeated ${item} ${name} = ${number()}${delimited ? ' [features.message_encoding = DELIMITED]' : option};`);
      } else {
        const item = type();
        const label =
          syntax === 'proto2' ? dice.pick(['optional ', 'optional ', 'required ']) : syntax === 'proto3' && dice.chance(0.3) ? 'optional ' : '';
        // A required message that contains itself would be endless.
        const safe = label === 'required ' && item.startsWith('M') ? 'optional ' : label;
        const delimited = syntax === '2023' && item.startsWith('M') && dice.chance(0.3);
        const value = syntax === 'proto2' && safe === 'optional ' && dice.chance(0.3) ? defaultFor(item) : '';
        body.push(`${safe}${item} ${name} = ${number()}${delimited ? ' [features.message_encoding = DELIMITED]' : value};`);
      }
    }
    lines.push(`message M${m} {`, ...body.map((line) => `  ${line}`), '}');
  }
  return lines.join('\n');
}

function defaultFor(type: string): string {
  if (type === 'E0') return ' [default = C0]';
  if (type === 'bool') return ' [default = true]';
  if (type === 'string' || type === 'bytes') return ' [default = "a\\tb"]';
  if (type === 'double' || type === 'float') return ' [default = -1.5]';
  return SCALARS.includes(type) ? ' [default = 7]' : '';
}

/** Concatenated bytes. */
export class Bytes {
  readonly list: number[] = [];

  varint(value: bigint, padding = 0): void {
    let rest = BigInt.asUintN(64, value);
    const start = this.list.length;
    while (rest >= 128n) {
      this.list.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.list.push(Number(rest));
    for (let i = 0; i < padding && this.list.length - start < 10; i += 1) {
      this.list[this.list.length - 1]! |= 128;
      this.list.push(0);
    }
  }

  tag(number: number, wire: number): void {
    this.varint(BigInt(number * 8 + wire));
  }

  bytes(bytes: Iterable<number>): void {
    for (const byte of bytes) this.list.push(byte);
  }

  delimited(bytes: readonly number[] | Uint8Array): void {
    this.varint(BigInt(bytes.length));
    this.bytes(bytes);
  }
}

const LONG = new Set([types.INT64, types.UINT64, types.SINT64, types.FIXED64, types.SFIXED64]);
const INTEGERS = [0n, 1n, -1n, 2n, 5n, 127n, 128n, 300n, -3n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
const FLOATS = [0, -0, 1, -1.5, 3.25, NaN, Infinity, -Infinity, 1e300, 1e-10];
const TEXTS = ['', 'a', 'hello', 'grün', '漢字', '😀', 'x'.repeat(200), '__proto__', 'constructor', '0'];

/** How to generate a random message. */
export interface Manner {
  /** Fields in the order of their numbers, each once, as serialisers write them. */
  orderly: boolean;
  /** Adds fields unknown to the schema. */
  unknown?: boolean;
  /** Sometimes uses another wire type than the field's, which makes the field unknown. */
  wrongTypes?: boolean;
  /** Uses only numbers that the enum names and the type can hold. */
  inRange?: boolean;
}

/** Nesting depth beyond which only required fields are written: engines differ in their call depth. */
const MAX_DEPTH = 12;

/** Bytes of a well-formed message of a type, with repeated and unordered fields unless `orderly`. */
export function randomMessage(dice: Dice, schema: ProtobufSchema, type: number, manner: Manner, depth = 0): number[] {
  const out = new Bytes();
  const needed = (field: FieldSchema): boolean => isNeeded(schema, type, field);
  const { fields } = schema.messages[type]!;
  if (manner.orderly) {
    const taken = new Set<number>();
    for (const field of fields.toSorted((a, b) => a.number - b.number)) {
      if (!needed(field) && (dice.chance(depth > 2 ? 0.8 : 0.5) || depth > MAX_DEPTH)) continue;
      if (field.oneof >= 0) {
        if (taken.has(field.oneof)) continue;
        taken.add(field.oneof);
      }
      const count = field.repeated ? 1 + dice.below(3) : 1;
      for (let i = 0; i < count; i += 1) writeField(dice, schema, field, out, manner, depth);
    }
    return out.list;
  }
  const count = fields.length === 0 ? 0 : dice.below(depth > 2 ? 3 : 9);
  for (let i = 0; i < count; i += 1) {
    if (manner.unknown && dice.chance(0.1)) writeUnknown(dice, out);
    const field = dice.pick(fields);
    if (depth > MAX_DEPTH && !needed(field)) continue;
    if (manner.wrongTypes && !needed(field) && types.WIRE[field.type] !== types.I32 && dice.chance(0.03)) {
      out.tag(field.number, types.I32);
      out.bytes([1, 2, 3, 4]);
    } else {
      writeField(dice, schema, field, out, manner, depth);
    }
  }
  for (const field of fields) if (needed(field)) writeField(dice, schema, field, out, manner, depth);
  return out.list;
}

/**
 * True for a required field, and for fields of a map's entry that protobufjs decodes wrongly when missing: a value
 * with required fields (accepted), bytes (an array), and a 64-bit key (its 0 differs from an explicit 0).
 */
function isNeeded(schema: ProtobufSchema, message: number, { presence, number, type, ref }: FieldSchema): boolean {
  if (presence === 'required') return true;
  if (schema.messages[message]!.mapEntry && number === 1 && LONG.has(type)) return true;
  if (!schema.messages[message]!.mapEntry || number !== 2) return false;
  if (type !== types.MESSAGE) return type === types.BYTES;
  return schema.messages[ref]!.fields.some(({ presence }) => presence === 'required');
}

function writeUnknown(dice: Dice, out: Bytes): void {
  const number = 400_000 + dice.below(3);
  const wire = dice.pick([0, 1, 2, 3, 5]);
  out.tag(number, wire);
  if (wire === 0) out.varint(dice.pick(INTEGERS));
  else if (wire === 2) out.delimited(Array.from({ length: dice.below(5) }, () => dice.below(256)));
  else if (wire === 3) {
    if (dice.chance(0.5)) writeUnknown(dice, out);
    out.tag(number, 4);
  } else {
    out.bytes(Array.from({ length: wire === 1 ? 8 : 4 }, () => dice.below(256)));
  }
}

function writeField(dice: Dice, schema: ProtobufSchema, field: FieldSchema, out: Bytes, manner: Manner, depth: number): void {
  const { number, type, ref, repeated } = field;
  if (type === types.MESSAGE || type === types.GROUP) {
    const inner =
      depth > 4 && schema.messages[ref]!.fields.every((field) => !isNeeded(schema, ref, field))
        ? []
        : randomMessage(dice, schema, ref, manner, depth + 1);
    if (type === types.MESSAGE) {
      out.tag(number, types.LEN);
      out.delimited(inner);
    } else {
      out.tag(number, types.SGROUP);
      out.bytes(inner);
      out.tag(number, types.EGROUP);
    }
  } else if (repeated && types.isPackable(type) && dice.chance(0.6)) {
    const packed = new Bytes();
    for (let i = dice.below(5); i > 0; i -= 1) writeScalar(dice, type, packed, manner);
    out.tag(number, types.LEN);
    out.delimited(packed.list);
  } else {
    out.tag(number, types.WIRE[type]!);
    writeScalar(dice, type, out, manner);
  }
}

function writeScalar(dice: Dice, type: number, out: Bytes, manner: Manner): void {
  const view = new DataView(new ArrayBuffer(8));
  switch (type) {
    case types.STRING:
      out.delimited(new TextEncoder().encode(dice.pick(TEXTS)));
      break;
    case types.BYTES:
      out.delimited(Array.from({ length: dice.below(5) }, () => dice.below(256)));
      break;
    case types.DOUBLE:
      view.setFloat64(0, dice.pick(FLOATS), true);
      out.bytes(new Uint8Array(view.buffer));
      break;
    case types.FLOAT:
      view.setFloat32(0, dice.pick(FLOATS), true);
      out.bytes(new Uint8Array(view.buffer, 0, 4));
      break;
    case types.FIXED64:
    case types.SFIXED64:
      view.setBigUint64(0, BigInt.asUintN(64, dice.pick(INTEGERS)), true);
      out.bytes(new Uint8Array(view.buffer));
      break;
    case types.FIXED32:
    case types.SFIXED32:
      view.setUint32(0, Number(BigInt.asUintN(32, dice.pick(INTEGERS))), true);
      out.bytes(new Uint8Array(view.buffer, 0, 4));
      break;
    case types.BOOL:
      out.varint(dice.chance(0.5) ? 1n : 0n);
      break;
    case types.ENUM:
      out.varint(manner.inRange ? 0n : dice.pick(INTEGERS));
      break;
    default:
      if (manner.inRange) out.varint(dice.pick([0n, 1n, 127n, 128n, 2n ** 31n - 1n]));
      else out.varint(dice.pick(INTEGERS), !manner.orderly && dice.chance(0.1) ? dice.below(4) : 0);
  }
}
