import type { Extents, SpanData } from '../../../core/sinks/spans/tree.ts';
import { PADDING, UNKNOWN, UNUSED } from '../../describe/terms/roles.ts';

/** Maximum number of zero bytes between two values that count as alignment. */
const MAX_PADDING = 31;

/** Assigns each byte of a body to an entry. Bytes claimed twice belong to the first claim. */
export class ExtentBuilder {
  readonly #bytes: Uint8Array;
  readonly #owners: Uint32Array;
  readonly #roles: Uint8Array;
  readonly #regions: [from: number, end: number, owner: number, rest: number][] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#owners = new Uint32Array(bytes.length);
    this.#roles = new Uint8Array(bytes.length);
  }

  isFree(at: number): boolean {
    return this.#roles[at] === UNUSED;
  }

  /** Claims bytes for an entry. Returns false if they were claimed already. */
  claim(from: number, length: number, owner: number, role: number): boolean {
    const roles = this.#roles;
    const end = Math.min(from + length, roles.length);
    if (from < 0 || from >= end || (roles[from] !== UNUSED && roles[end - 1] !== UNUSED)) return false;
    for (let at = from; at < end; at += 1) {
      if (roles[at] !== UNUSED) continue;
      roles[at] = role;
      this.#owners[at] = owner;
    }
    return true;
  }

  /**
   * Assigns the unclaimed bytes of a range to an entry, with the role `rest`; zeros of unknown role count as padding.
   * Nested ranges must be added after the outer one.
   */
  region(from: number, end: number, owner: number, rest: number): void {
    this.#regions.push([from, Math.min(end, this.#roles.length), owner, rest]);
  }

  /** Assigns all remaining bytes to the entry `rest`. */
  finish(rest = 0): Extents {
    for (const [from, end, owner, other] of this.#regions.reverse()) {
      for (let at = from; at < end; at += 1) {
        if (this.#roles[at] !== UNUSED) continue;
        this.#roles[at] = other === UNKNOWN && this.#bytes[at] === 0 ? PADDING : other;
        this.#owners[at] = owner;
      }
    }
    this.#pad(rest);
    return runsOf(this.#owners, this.#roles);
  }

  /** Turns a few zeros after a value into its padding. */
  #pad(rest: number): void {
    const roles = this.#roles;
    const { length } = roles;
    for (let at = roles.indexOf(UNUSED); at >= 0 && at < length; at = roles.indexOf(UNUSED, at)) {
      let end = at;
      let isZero = true;
      for (; end < length && roles[end] === UNUSED; end += 1) if (this.#bytes[end] !== 0) isZero = false;
      if (isZero && at > 0 && end - at <= MAX_PADDING) {
        roles.fill(PADDING, at, end);
        this.#owners.fill(this.#owners[at - 1]!, at, end);
      } else {
        this.#owners.fill(rest, at, end);
      }
      at = end;
    }
  }
}

/** Runs of bytes that have the same owner and role. */
export function runsOf(owners: Uint32Array, roles: Uint8Array): Extents {
  const begins = (at: number): boolean => at === 0 || owners[at] !== owners[at - 1] || roles[at] !== roles[at - 1];
  let count = 0;
  for (let at = 0; at < roles.length; at += 1) if (begins(at)) count += 1;
  const extents = { starts: new Uint32Array(count), owners: new Uint32Array(count), roles: new Uint8Array(count) };
  let run = 0;
  for (let at = 0; at < roles.length; at += 1) {
    if (!begins(at)) continue;
    extents.starts[run] = at;
    extents.owners[run] = owners[at]!;
    extents.roles[run] = roles[at]!;
    run += 1;
  }
  return extents;
}

/** Moves an entry to its bytes in a body of a length; `head` is the number of bytes before its content. */
export function placeEntry({ starts, values, ends, heads }: SpanData, length: number, node: number, at: number, end: number, head: number): void {
  const from = Math.min(at, length);
  const to = Math.max(from, Math.min(end, length));
  starts[node] = from;
  values[node] = from;
  ends[node] = to;
  heads[node] = Math.min(head, to - from);
}
