import { stringEnd } from '../../bytes/text/json-string.ts';
import type { ListForm } from '../../format/format.ts';
import { BRACE_BIT, CLOSE_BRACE, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/text/json-bytes.ts';
import { textOf } from './values.ts';
import { LOOK_BYTES } from '../tuning.ts';
import { describeList } from '../list-form.ts';

/** Bytes of the list that are parsed, and records that are enough. */
const PARSED_BYTES = 16 * 1024;
const MAX_RECORDS = 32;

/**
 * Describes the first records of the longest list that begins in the head of a JSON payload: of the lists still open at
 * the end of the head, the outermost one with a complete item. Undefined without a complete record, or without JSON.
 */
export function sampleJson(bytes: Uint8Array): ListForm | undefined {
  const head = bytes.subarray(0, LOOK_BYTES);
  const list = findList(head);
  if (list === undefined) return undefined;
  const end = Math.min(head.length, list + PARSED_BYTES);
  let to = list;
  for (let count = 0; count < MAX_RECORDS; count += 1) {
    const next = itemEnd(head, count === 0 ? list : to + 1, count === 0 ? head.length : end);
    if (next >= (count === 0 ? head.length : end)) break;
    to = next;
    if (head[to] !== COMMA) break;
  }
  try {
    const records = JSON.parse(`[${textOf(head, list, to)}]`) as unknown[];
    return records.length === 0 ? undefined : describeList(records);
  } catch {
    return undefined;
  }
}

/**
 * Position of the first item of the outermost list that is open at the end of the head and has a complete item;
 * otherwise of the root list.
 */
function findList(head: Uint8Array): number | undefined {
  /** Positions of the content of open lists; −1 for objects. */
  const open: number[] = [];
  const withItems: boolean[] = [];
  let rootList: number | undefined;
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at]!;
    if (byte === QUOTE) {
      const end = stringEnd(head, at + 1);
      if (end < 0) break;
      at = end - 1;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      if (open.length === 0 && byte === OPEN_BRACKET) rootList = at + 1;
      open.push(byte === OPEN_BRACKET ? at + 1 : -1);
      withItems.push(false);
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      open.pop();
      withItems.pop();
    } else if (byte === COMMA) {
      withItems[open.length - 1] = true;
    }
  }
  return open.find((start, level) => start >= 0 && withItems[level]) ?? rootList;
}

/** Position of the comma or closing bracket that ends the item at `from`; `to` if not found. */
function itemEnd(bytes: Uint8Array, from: number, to: number): number {
  const part = bytes.subarray(0, to);
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    const byte = part[at]!;
    if (byte === QUOTE) {
      const end = stringEnd(part, at + 1);
      if (end < 0) return to;
      at = end - 1;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) depth += 1;
    else if (depth === 0 && (byte === COMMA || (byte | BRACE_BIT) === CLOSE_BRACE)) return at;
    else if ((byte | BRACE_BIT) === CLOSE_BRACE) depth -= 1;
  }
  return to;
}
