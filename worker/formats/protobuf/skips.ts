import { type Kept, Memory } from './memory.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from './schema.ts';

/** Finds where values end, without looking at what they are. */
export class Skips extends Memory {
  /** Ends of nested groups by their starts, so that a group is walked once for all those around it. */
  #groupEnds: Map<number, number> | undefined;

  override useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    super.useWindow(bytes, view, base);
    this.#groupEnds = undefined;
  }

  override useKept(kept: Kept): void {
    super.useKept(kept);
    this.#groupEnds = undefined;
  }

  /** The position after the value of a tag at `at`. `start` is that of the tag. */
  skip(tag: number, at: number, end: number, start: number): number {
    let next = at;
    switch (tag & 7) {
      case VARINT:
        return this.pastVarint(at, end);
      case LEN:
        next = this.varint(at, end);
        next += this.next;
        break;
      case I64:
        next += 8;
        break;
      case I32:
        next += 4;
        break;
      case SGROUP:
        return this.skipGroup(at, end, tag >>> 3, start);
      default:
        this.fail(`the wire type ${tag & 7}, where a field should begin`, start);
    }
    if (next > end) this.fail('a value goes past the end of its message', start);
    return next;
  }

  /** The position after the end tag of the group whose fields begin at `at`. */
  protected skipGroup(from: number, end: number, number: number, start: number): number {
    const known = this.#groupEnds?.get(from);
    if (known !== undefined) return known;
    const open = [number];
    const starts = [from];
    let at = from;
    while (at < end) {
      const tag = this.varint(at, end);
      const value = this.next;
      if (tag < 8 || tag > 0xffffffff) this.fail(tag < 8 ? 'the field number 0' : 'a tag of more than 32 bits', at);
      if ((tag & 7) === SGROUP) {
        if (open.length >= this.limits.depth) this.exceed('depth', at);
        open.push(tag >>> 3);
        starts.push(value);
        at = value;
      } else if ((tag & 7) === EGROUP) {
        if (tag >>> 3 !== open.pop()) this.fail('the end of another group than the one that began', at);
        at = value;
        const began = starts.pop()!;
        if (open.length === 0) return at;
        (this.#groupEnds ??= new Map()).set(began, at);
      } else {
        at = this.skip(tag, value, end, at);
      }
    }
    return this.fail('a group without an end', start);
  }
}
