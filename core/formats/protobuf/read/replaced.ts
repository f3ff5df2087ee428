import { decodeUtf8 } from '../../../bytes/text/text.ts';
import type { Limits } from '../../../limits.ts';
import type { Input } from './input.ts';
import { INDEX, PACKED, type Plan } from './plan.ts';
import { GROUP, LEN, MESSAGE, STRING } from '../schema/schema.ts';

// Replaced occurrences: only the last value of a field, or the last member of a oneof, is sent, but earlier ones must
// be well-formed too.

/** Checks the occurrences of a field in `start..end`, their tags included. */
export function checkReplaced(input: Input, plan: Plan, limits: Limits, field: number, start: number, end: number): void {
  const type = plan.type[field]!;
  if (type !== STRING && type !== MESSAGE && type !== GROUP) return;
  for (let at = start; at < end;) at = check(input, plan, limits, field, 0, at, end, 1);
}

/** Checks the occurrence at `start` of a field, given its entry. Returns the position after it. */
function check(input: Input, plan: Plan, limits: Limits, field: number, entry: number, start: number, end: number, depth: number): number {
  if (depth > limits.depth) input.exceed('depth', start);
  const type = plan.type[field]!;
  const tag = input.varint(start, end);
  const value = input.next;
  const next = input.skip(tag, value, end, start);
  if (type === GROUP) {
    // The end tag follows the fields.
    checkMessage(input, plan, limits, plan.ref[field]!, value, next - (value - start), depth);
  } else if ((tag & 7) === LEN) {
    input.varint(value, end);
    const from = input.next;
    const size = plan.sizes[field]!;
    if (type === MESSAGE) checkMessage(input, plan, limits, plan.ref[field]!, from, next, depth);
    else if (type === STRING) decodeUtf8(input.bytes, from, next, input.offsetOf(from) - from);
    else if ((entry & PACKED) !== 0 && size > 0 && (next - from) % size > 0) input.fail('packed list that ends inside a number', next);
    else if ((entry & PACKED) !== 0 && size === 0) for (let at = from; at < next;) at = input.pastVarint(at, next);
  }
  return next;
}

function checkMessage(input: Input, plan: Plan, limits: Limits, type: number, from: number, end: number, depth: number): void {
  for (let at = from; at < end;) {
    const tag = input.varint(at, end);
    const value = input.next;
    if (tag < 8 || tag > 0xffffffff) input.fail(tag < 8 ? 'invalid field number 0' : 'tag longer than 32 bits', at);
    const entry = plan.entry(type, tag);
    at = entry === 0 ? input.skip(tag, value, end, at) : check(input, plan, limits, plan.first[type]! + (entry >> INDEX), entry, at, end, depth + 1);
  }
}
