import { textFor } from '../../../bytes/text/text-for.ts';
import type { Limits } from '../../../limits.ts';
import type { Input } from './input.ts';
import { INDEX, PACKED, type Plan } from './plan.ts';
import { EGROUP, GROUP, LEN, MESSAGE, STRING } from '../schema/schema.ts';

// Replaced occurrences: only the last value of a field, or the last member of a oneof, is sent, but earlier ones must
// be well-formed too.

/** A message whose fields are checked up to `end`, which for a group is after its end tag. */
interface OpenMessage {
  readonly type: number;
  readonly isGroup: boolean;
  readonly end: number;
}

/** Checks the occurrences of a field in `start..end`, their tags included. */
export function checkReplaced(input: Input, plan: Plan, limits: Limits, field: number, start: number, end: number): void {
  const type = plan.type[field]!;
  if (type !== STRING && type !== MESSAGE && type !== GROUP) return;
  const open: OpenMessage[] = [];
  for (let at = start; at < end;) {
    while (at === open.at(-1)?.end) open.pop();
    const around = open.at(-1);
    const to = around?.end ?? end;
    const tag = input.varint(at, to);
    const value = input.next;
    if (around?.isGroup && (tag & 7) === EGROUP) {
      at = value;
      continue;
    }
    if (around && (tag < 8 || tag > 0xffffffff)) input.fail(tag < 8 ? 'invalid field number 0' : 'a tag has more than 32 bits', at);
    const entry = around ? plan.entry(around.type, tag) : 0;
    const next = input.skip(tag, value, to, at);
    if (!around || entry !== 0) {
      if (open.length >= limits.depth) input.exceed('depth', at);
      const inner = check(input, plan, around ? plan.first[around.type]! + (entry >> INDEX) : field, entry, tag, value, next);
      if (inner) {
        open.push(inner);
        at = input.next;
        continue;
      }
    }
    at = next;
  }
}

/**
 * Checks the value in `at..next` of a field, given its entry. Returns a message, whose fields begin at `input.next` and
 * are not checked.
 */
function check(input: Input, plan: Plan, field: number, entry: number, tag: number, at: number, next: number): OpenMessage | undefined {
  const type = plan.type[field]!;
  input.next = at;
  if (type === GROUP) return { type: plan.ref[field]!, isGroup: true, end: next };
  if ((tag & 7) !== LEN) return undefined;
  input.varint(at, next);
  if (type === MESSAGE) return { type: plan.ref[field]!, isGroup: false, end: next };
  const from = input.next;
  const size = plan.sizes[field]!;
  if (type === STRING) textFor(input, input.bytes, from, next, input.offsetOf(from) - from);
  else if ((entry & PACKED) !== 0 && size > 0 && (next - from) % size > 0) input.fail('packed list that ends inside a number', next);
  else if ((entry & PACKED) !== 0 && size === 0) for (let p = from; p < next;) p = input.pastVarint(p, next);
  return undefined;
}
