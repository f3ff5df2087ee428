import type { Limits } from '../../limits.ts';
import type { Sink } from '../../events/sink.ts';
import { decodeUtf8 } from '../../bytes/text.ts';
import { INDEX, PACKED, type Plan } from './plan.ts';
import { GROUP, LEN, MESSAGE, STRING } from './schema.ts';
import { Skips } from './skips.ts';

/**
 * Checks what a later occurrence replaces, and no sink is told of: the last value of a field counts, and the last member of
 * a oneof, but what is before it must be sound too.
 */
export class Replaced extends Skips {
  protected readonly plan: Plan;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    super(sink, limits);
    this.plan = plan;
  }

  /** Checks the occurrences of a field in `start..end`, their tags included. */
  protected checkReplaced(field: number, start: number, end: number): void {
    const type = this.plan.type[field]!;
    if (type !== STRING && type !== MESSAGE && type !== GROUP) return;
    for (let at = start; at < end; ) at = this.#check(field, 0, at, end, 1);
  }

  /** Checks the occurrence at `start` of a field with an entry, and returns the position after it. */
  #check(field: number, entry: number, start: number, end: number, depth: number): number {
    const { plan } = this;
    if (depth > this.limits.depth) this.exceed('depth', start);
    const type = plan.type[field]!;
    const tag = this.varint(start, end);
    const value = this.next;
    const next = this.skip(tag, value, end, start);
    if (type === GROUP) {
      // What follows the fields is the end tag.
      this.#checkMessage(plan.ref[field]!, value, next - (value - start), depth);
    } else if ((tag & 7) === LEN) {
      this.varint(value, end);
      const from = this.next;
      const size = plan.sizes[field]!;
      if (type === MESSAGE) this.#checkMessage(plan.ref[field]!, from, next, depth);
      else if (type === STRING) decodeUtf8(this.bytes, from, next, this.offsetOf(from) - from);
      else if ((entry & PACKED) !== 0 && size > 0 && (next - from) % size > 0) this.fail('a packed list that ends inside a number', next);
      else if ((entry & PACKED) !== 0 && size === 0) for (let at = from; at < next; ) at = this.pastVarint(at, next);
    }
    return next;
  }

  #checkMessage(type: number, from: number, end: number, depth: number): void {
    const { plan } = this;
    for (let at = from; at < end; ) {
      const tag = this.varint(at, end);
      const value = this.next;
      if (tag < 8 || tag > 0xffffffff) this.fail(tag < 8 ? 'the field number 0' : 'a tag of more than 32 bits', at);
      const entry = plan.entry(type, tag);
      at = entry === 0 ? this.skip(tag, value, end, at) : this.#check(plan.first[type]! + (entry >> INDEX), entry, at, end, depth + 1);
    }
  }
}
