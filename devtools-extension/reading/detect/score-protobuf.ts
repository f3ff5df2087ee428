import { PLAIN_TEXT, textKind } from '../../../core/formats/protobuf/schemaless/guess.ts';
import { isLikelyFloat, type Varint, varintAt } from '../../values/numbers-in-bytes.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from '../../../core/formats/protobuf/schema/schema.ts';

/** Maximum number of fields, and nesting depth, to examine. */
const MAX_FIELDS = 3_000;
const MAX_DEPTH = 12;

/** Evidence for and against bytes being messages. */
class Evidence {
  good = 0;
  bad = 0;
  fields = 0;
  /** True if the bytes were cut within the last message's fields. */
  cut = false;
  /** Wire type seen for each path of field numbers. A schema allows one per field. */
  readonly #wires = new Map<string, number>();

  field(path: string, wire: number, number: number): void {
    this.fields += 1;
    const seen = this.#wires.get(path);
    if (seen === undefined) this.#wires.set(path, wire);
    else if (seen === wire) this.good += 0.5;
    else this.bad += 3;
    // A valid tag is weak evidence on its own.
    this.good += 0.15;
    if (number > 20_000) this.bad += 1.5;
    else if (number > 100) this.bad += 0.5;
  }

  /** From 0 to 1. Never certain without a schema, because any bytes that parse as fields are a message. */
  get confidence(): number {
    if (this.fields === 0) return 0;
    const share = this.good / (this.good + this.bad + 0.001);
    return 0.88 * share ** 1.5 * (1 - Math.exp(-this.good / 3));
  }
}

interface Input {
  bytes: Uint8Array;
  view: DataView;
  /** True if the input was cut. */
  isCut: boolean;
}

/** Likelihood that the bytes are one message; 0 if impossible. */
export function scoreMessage(bytes: Uint8Array, isCut: boolean): number {
  const evidence = new Evidence();
  const input = inputOf(bytes, isCut);
  return readMessage(input, 0, bytes.length, evidence, '', 0) ? evidence.confidence : 0;
}

/** Likelihood that the bytes are length-delimited messages; 0 if impossible. */
export function scoreDelimited(bytes: Uint8Array, isCut: boolean): { confidence: number; messages: number } {
  const evidence = new Evidence();
  const input = inputOf(bytes, isCut);
  let at = 0;
  let messages = 0;
  while (at < bytes.length && evidence.fields < MAX_FIELDS) {
    const length = varintAt(bytes, at);
    if (!length && isCut && messages > 0) break;
    const end = length ? length.next + length.value : Infinity;
    if (!length || (end > bytes.length && !isCut)) return { confidence: 0, messages: 0 };
    // Libraries never write overlong lengths.
    if (!isShort(bytes, at, length) || length.value === 0) evidence.bad += 1;
    if (!readMessage(input, length.next, Math.min(end, bytes.length), evidence, '', 0)) return { confidence: 0, messages: 0 };
    // A length that matches the end of its message is evidence.
    evidence.good += messages > 0 || end === bytes.length ? 1 : 0;
    messages += 1;
    at = end;
  }
  return { confidence: messages === 0 ? 0 : evidence.confidence, messages };
}

function inputOf(bytes: Uint8Array, isCut: boolean): Input {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), isCut };
}

/** True if the encoding of a varint is minimal, as libraries write it. */
function isShort(bytes: Uint8Array, at: number, { next }: Varint): boolean {
  return bytes[next - 1] !== 0 || next === at + 1;
}

/** Collects evidence from a message's fields. Returns false if the bytes are not a message. */
function readMessage(input: Input, from: number, end: number, evidence: Evidence, path: string, depth: number): boolean {
  const { bytes, view } = input;
  const isLast = input.isCut && end === bytes.length;
  const groups: number[] = [];
  let at = from;
  let before = 0;
  while (at < end && evidence.fields < MAX_FIELDS) {
    const tag = varintAt(bytes, at, end);
    if (!tag) return isLast && end - at < 10;
    const number = Math.floor(tag.value / 8);
    const wire = tag.value % 8;
    if (number === 0 || tag.value > 0xffff_ffff || !isShort(bytes, at, tag)) return false;
    // Libraries write fields in ascending order.
    if (number < before && groups.length === 0) evidence.bad += 0.5;
    else if (number > before) evidence.good += 0.2;
    before = number;
    const place = `${path}.${number}`;
    evidence.field(place, wire, number);
    at = tag.next;
    switch (wire) {
      case VARINT: {
        const found = varintAt(bytes, at, end);
        if (!found) return isLast && end - at < 10;
        if (!isShort(bytes, at, found)) evidence.bad += 2;
        else evidence.good += found.value < 2 ** 32 ? 0.3 : 0.1;
        at = found.next;
        break;
      }
      case I64:
      case I32: {
        const size = wire === I64 ? 8 : 4;
        if (at + size > end) return isLast;
        if (isLikelyFloat(wire === I64 ? view.getFloat64(at, true) : view.getFloat32(at, true))) evidence.good += 0.7;
        else evidence.bad += 0.4;
        at += size;
        break;
      }
      case LEN: {
        const length = varintAt(bytes, at, end);
        if (!length) return isLast && end - at < 10;
        if (length.next + length.value > end) {
          // Examines the remainder of a field that was cut.
          if (!isLast) return false;
          readBytes(input, length.next, end, evidence, place, depth);
          return true;
        }
        if (!isShort(bytes, at, length)) evidence.bad += 2;
        at = length.next + length.value;
        readBytes(input, length.next, at, evidence, place, depth);
        break;
      }
      case SGROUP:
        evidence.bad += 1.5;
        groups.push(number);
        break;
      case EGROUP:
        if (groups.pop() !== number) return false;
        break;
      default:
        return false;
    }
  }
  return evidence.fields >= MAX_FIELDS || at === end ? groups.length === 0 || isLast : false;
}

/** Collects evidence from a length-delimited field: text, a message, packed numbers or bytes. */
function readBytes(input: Input, from: number, end: number, evidence: Evidence, path: string, depth: number): void {
  const { bytes } = input;
  const length = end - from;
  if (length === 0) return;
  if (textKind(bytes, from, end) === PLAIN_TEXT) {
    // One or two bytes may be text by chance.
    evidence.good += Math.min(4, length * 0.25);
    return;
  }
  const inner = new Evidence();
  if (depth < MAX_DEPTH && readMessage(input, from, end, inner, path, depth + 1) && inner.good > inner.bad) {
    evidence.fields += inner.fields;
    evidence.good += 0.5 + inner.good;
    evidence.bad += inner.bad;
    return;
  }
  if (isList(bytes, from, end)) evidence.good += 0.2;
  else evidence.bad += length > 256 ? 0.5 : 1;
}

/** True if bytes may be a packed list: plausible doubles or floats, or minimal varints. */
function isList(bytes: Uint8Array, from: number, end: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = end - from;
  const all = (size: number, read: (at: number) => number): boolean => {
    if (length % size !== 0) return false;
    for (let at = from; at < end; at += size) if (!isLikelyFloat(read(at))) return false;
    return true;
  };
  if (all(8, (at) => view.getFloat64(at, true)) || all(4, (at) => view.getFloat32(at, true))) return true;
  let at = from;
  while (at < end) {
    const found = varintAt(bytes, at, end);
    if (!found || !isShort(bytes, at, found) || found.value > 2 ** 40) return false;
    at = found.next;
  }
  return true;
}
