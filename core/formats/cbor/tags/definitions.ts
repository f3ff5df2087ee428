import { sharedList } from '../../../reading/record-keys.ts';
import { CUT, INDEFINITE } from '../read/input.ts';
import { ITEM_CUT, OTHER } from '../read/items.ts';
import { Records } from '../read/records.ts';
import { DEFINITION, DEFINITIONS, PACKED, PACKED_VALUE, RECORD, TABLE } from '../read/stack.ts';
import type { TagContext } from './tag-context.ts';

/** A definition without a record. */
const ALONE = -1;

/**
 * Reads definitions for the values after them: the keys of records (see `Records`) and tables of packed values (see
 * `PackedTables`).
 */
export class Definitions {
  readonly #context: TagContext;
  /** The keys of the current definition so far. */
  #keys: string[] = [];
  /** The tag of the current or the next definition. */
  #tag = 0;
  /** How many values of a record follow the keys, or ALONE. */
  #values = 0;
  /** The number of the current list of keys as a shared value, or −1. */
  #shared = -1;

  constructor(context: TagContext) {
    this.#context = context;
  }

  /**
   * Reads the beginning of a definition whose tag is at `at`: the head of an array, a record's tag, and the head of a
   * list of keys (tag 0xdffe has several lists). False if it is cut.
   */
  begin(tag: number, at: number, from: number): boolean {
    const { input, stack, sharing } = this.#context;
    if (!this.#head(4, from)) return false;
    const count = input.value;
    if (count < 2) input.fail('malformed', 'a record definition has no keys', from);
    const place = input.next;
    if (!this.#head(0, place)) return false;
    const defined = input.value;
    if (!Records.admits(defined)) input.fail('malformed', `invalid record tag ${defined}`, place);
    if (tag === 0xdffe) {
      stack.took();
      stack.open(DEFINITIONS, count - 1, at);
      this.#tag = defined;
      return true;
    }
    const values = count - 2;
    const shares = this.#shares(input.next);
    if (shares < 0) return false;
    if (!this.#head(shares === 29 ? 0 : 4, input.next)) return false;
    const known = shares === 29 ? sharing.keys(input.value, at) : undefined;
    const keys = known?.length ?? input.value;
    if (keys === INDEFINITE || values > keys) input.fail('malformed', 'a record has more values than keys', at);
    stack.took();
    this.#define(defined, values, known ? 0 : keys, at);
    if (known) this.#keys = [...known];
    if (shares === 28) this.#shared = sharing.openKeys();
    return true;
  }

  /** The tag before a list of keys at `at`: 28 if it is shared, 29 if one is referred to, 0 for none; −1 if it is cut. */
  #shares(at: number): number {
    const { input } = this.#context;
    input.reach = at + 1;
    if (at >= input.to) return -1;
    input.next = at;
    if (input.bytes[at]! >> 5 !== 6) return 0;
    if (!input.head(at)) return -1;
    return input.value === 28 || input.value === 29 ? input.value : this.#failKeys(at);
  }

  /** Reads the next item of the innermost container. Returns the position after it, or CUT. */
  read(at: number): number {
    const { input, stack, packed } = this.#context;
    if (stack.kind === DEFINITION || stack.kind === TABLE) return this.#readEntry(at);
    if (stack.left === 1) {
      if (stack.kind === PACKED) packed.enter();
      else packed.enterSame();
      stack.kind = PACKED_VALUE;
      return at;
    }
    if (!this.#head(4, at)) return CUT;
    const count = input.value;
    if (count === INDEFINITE) input.fail('unsupported', 'a table must not have an indefinite length', at);
    stack.took();
    if (stack.kind === DEFINITIONS) this.#define(this.#tag, ALONE, count, at);
    else if (stack.left === 3) stack.open(TABLE, count, at);
    else if (count > 0) input.fail('unsupported', 'packed values with prefixes or suffixes are not supported', at);
    return input.next;
  }

  /** Ends a list of keys. If a record follows, it replaces the definition. */
  end(at: number): void {
    const { input, stack, records, sink, sharing } = this.#context;
    const keys = sharedList(this.#keys) ?? input.fail('malformed', 'record definition with a duplicate key', at);
    const number = records.define(this.#tag, keys);
    if (this.#shared >= 0) sharing.keepKeys(this.#shared, keys);
    if (this.#values === ALONE) {
      this.#tag += 1;
      if (!Records.admits(this.#tag)) input.fail('malformed', 'more records than there are tags', at);
      stack.pop();
      return;
    }
    sink.beginRecord(records.id(number, sink), at, at);
    stack.kind = RECORD;
    stack.left = stack.size = this.#values;
  }

  /** Reads a key, or a packed value. */
  #readEntry(at: number): number {
    const { input, stack, items, packed, int64 } = this.#context;
    const bundle = this.#context.isBundle(at);
    if (bundle !== 0) return bundle < 0 ? CUT : this.#context.readBundle(at);
    const found = items.read(at, int64);
    if (found === ITEM_CUT) return CUT;
    if (found === OTHER) {
      const what = stack.kind === TABLE ? 'a packed value' : 'a key';
      input.fail('unsupported', `${what} that is neither a string nor a number`, at);
    }
    if (stack.kind === TABLE) packed.entries.push(items.value);
    else this.#keys.push(String(items.value));
    stack.took();
    return input.next;
  }

  #define(tag: number, values: number, count: number, at: number): void {
    this.#keys = [];
    this.#tag = tag;
    this.#values = values;
    this.#shared = -1;
    this.#context.stack.open(DEFINITION, count, at);
  }

  #head(major: number, at: number): boolean {
    const { input } = this.#context;
    input.reach = at + 1;
    if (at >= input.to) return false;
    if (input.bytes[at]! >> 5 !== major) this.#failKeys(at);
    return input.head(at);
  }

  #failKeys(at: number): never {
    const { input, stack } = this.#context;
    return input.fail('malformed', stack.kind === PACKED ? 'packed values have no array' : 'a record definition has no array of keys', at);
  }
}
