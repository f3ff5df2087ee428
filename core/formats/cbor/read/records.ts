import type { KeptKeys } from '../../../kept-records.ts';
import { RecordKeys, sharedList } from '../../../reading/record-keys.ts';

/** The tag of record number 0. */
const FIRST_TAG = 0xe000;
/** How many records there can be: tags of two bytes. */
const MAX_COUNT = 0x2000;

/**
 * cbor-x's records. A record is a tag from 0xe000 whose content is the values of the keys defined for the tag, in order:
 *
 *     0xd9 uint16 tag, array of values                                       a record
 *     0xd9dfff, array of: unsigned tag, array of keys, values…               the definition of a record, with its values
 *     0xd869 (tag 105), array of the same                                    the same in earlier versions
 *     0xd9dffe, array of: unsigned tag, arrays of keys…, any value           definitions of consecutive tags
 *
 * A record may have fewer values than keys: the last keys are then absent. The shared structures have the tags from
 * 0xe000. A tag may be redefined.
 */
export class Records extends RecordKeys {
  /** The number of a list of keys, by tag minus 0xe000. */
  readonly #tags: number[] = [];
  readonly #kept: KeptKeys | undefined;

  /** `kept`: structures that earlier payloads have defined, and to which those of this one are added. */
  constructor(shared: readonly (readonly string[] | null | undefined)[] = [], kept?: KeptKeys) {
    super();
    for (const [index, keys] of shared.entries()) {
      if (keys && !kept?.has(FIRST_TAG + index)) this.define(FIRST_TAG + index, sharedList(keys) ?? keys);
    }
    this.#kept = kept;
  }

  /** True if a tag can be that of a record. */
  static admits(tag: number): boolean {
    return tag >= FIRST_TAG && tag < FIRST_TAG + MAX_COUNT;
  }

  /** Defines the keys of a tag and returns their number. */
  define(tag: number, list: readonly string[]): number {
    this.#kept?.set(tag, list);
    const index = tag - FIRST_TAG;
    return (this.#tags[index] = this.numberOf(list, this.#tags[index]));
  }

  /** The number of a tag's keys; −1 if it has none. */
  find(tag: number): number {
    const known = this.#tags[tag - FIRST_TAG];
    if (known !== undefined || this.#kept === undefined) return known ?? -1;
    const keys = this.#kept.get(tag);
    return keys === undefined ? -1 : this.define(tag, keys);
  }
}
