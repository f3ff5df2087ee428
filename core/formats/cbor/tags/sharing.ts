import type { Budget } from '../../../budget.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Input } from '../read/input.ts';
import { lengthOf, type Scalar } from './packed.ts';
import { sendNumber } from '../read/scalars.ts';

/**
 * Shared values (http://cbor.schmorp.de/value-sharing), which may also be cyclic:
 *
 *     0xd81c (tag 28), value          the value may be referred to, by the number of such tags before it
 *     0xd81d (tag 29), unsigned n     that value again
 */
export class Sharing {
  /** By number: the sink's id, a scalar, which has no identity and is sent again, or the keys of a record definition. */
  #values: (number | KeptScalar | KeptKeys)[] = [];
  /** Ids of tagged values that are still open, and cannot be referred to yet. */
  readonly #unfinished = new Set<number>();
  /** The id of each open tagged value, or −1. */
  readonly #tagged: number[] = [];
  #ids = 0;
  /** The offset in the input of the value with the latest id. */
  #place = -1;
  readonly #input: Input;
  readonly #sink: Sink;
  readonly #budget: Budget;

  constructor(input: Input, sink: Sink, budget: Budget) {
    this.#input = input;
    this.#sink = sink;
    this.#budget = budget;
  }

  /** Anchors the value at `from`, which has an identity and whose tag is at `at`. */
  anchor(at: number, from: number): void {
    this.#values.push(this.#ids);
    this.#sink.anchor(this.#ids, at, from);
    this.#ids += 1;
    this.#place = this.#input.base + from;
  }

  /** Keeps a scalar that may be referred to. */
  keep(value: Scalar): void {
    this.#values.push({ value });
  }

  /** Numbers a list of keys that is being read. */
  openKeys(): number {
    return this.#values.push({ keys: undefined }) - 1;
  }

  keepKeys(number: number, keys: readonly string[]): void {
    (this.#values[number] as KeptKeys).keys = keys;
  }

  /** The keys that a record definition at `at` refers to. */
  keys(number: number, at: number): readonly string[] {
    const value = this.#values[number];
    const keys = typeof value === 'object' && 'keys' in value ? value.keys : undefined;
    return keys ?? this.#input.fail('malformed', `reference to unknown shared keys ${number}`, at);
  }

  reference(number: number, at: number, end: number): void {
    const value = this.#values[number];
    if (value === undefined || (typeof value === 'object' && 'keys' in value))
      return this.#input.fail('malformed', `reference to unknown shared value ${number}`, at);
    if (typeof value === 'number') {
      if (this.#unfinished.has(value)) this.#input.fail('unsupported', 'a tagged value refers to itself', at);
      this.#sink.reference(value, at, end);
    } else {
      this.#budget.spendBytes(lengthOf(value.value), this.#input.base + at);
      sendScalar(this.#sink, value.value, at, end);
    }
  }

  /** Opens a tagged value at `at`. */
  openTagged(at: number): void {
    const id = this.#place === this.#input.base + at ? this.#ids - 1 : -1;
    if (id >= 0) this.#unfinished.add(id);
    this.#tagged.push(id);
  }

  /** Closes the innermost tagged value. */
  closeTagged(): void {
    this.#unfinished.delete(this.#tagged.pop()!);
  }

  /** Restarts the numbers for the next value of a sequence. */
  restart(): void {
    if (this.#values.length > 0) this.#values = [];
  }
}

interface KeptScalar {
  value: Scalar;
}

interface KeptKeys {
  keys: readonly string[] | undefined;
}

/** Sends a value that was read as a JavaScript value. */
export function sendScalar(sink: Sink, value: Scalar, start: number, end: number): void {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') {
    // −0 is not an integer.
    if (Object.is(value, -0)) sink.float(-0, start, end);
    else sendNumber(sink, value, start, end);
  } else if (typeof value === 'boolean') sink.boolean(value, start, end);
  else if (value === null) sink.null(start, end);
  else sink.undefined(start, end);
}
