import { PART_LIST_END, PART_REFERENCES, TAG_BITS, TAG_LIST } from '../../block/block.ts';
import { decodeWtf8 } from '../../bytes/text/wtf8.ts';
import type { ByteList } from '../../bytes/byte-list.ts';
import { type Frame, NO_LIMIT } from './output/frame.ts';
import type { BlockOutput } from './output/output.ts';
import { cutItems } from './paths.ts';

/** Emits the items of one list in batches while it is being read. */
export class ItemBatches {
  /** Open frames inside the list; −1 if no list is batched. */
  depth = -1;
  /** End on the tape of the last anchor, which belongs to the next item. */
  anchorEnd = -1;
  readonly #out: BlockOutput;
  /** Keys from the root to the list. */
  #path: readonly string[] = [];
  #items = NO_LIMIT;
  /** The list, while it is open. */
  #list: Frame | undefined;
  /**
   * Items whose strings were all valid when the window last changed, and the number of valid items once a string is
   * invalid.
   */
  #checked = 0;
  #good = NO_LIMIT;

  constructor(out: BlockOutput) {
    this.#out = out;
  }

  /** Selects the list by its path, and the number of items per batch. */
  choose(path: readonly string[], items = NO_LIMIT): void {
    this.#path = path;
    this.#items = items;
    this.depth = path.length + 1;
  }

  /** Called when a list opens at the selected depth; `frames[depth]` is its frame. */
  begin(frames: readonly Frame[]): void {
    const list = frames[this.depth]!;
    if (list.tape !== this.#out.tape || !this.#path.every((key, index) => frames[index + 1]!.isAt(key))) return;
    this.#list = list;
    list.limit = this.#items;
    this.#out.beginList();
  }

  end(list: Frame): void {
    if (list !== this.#list) return;
    this.#flush(list, PART_LIST_END);
    this.#out.endList();
    this.#list = undefined;
    list.limit = NO_LIMIT;
  }

  /** Complete items not emitted yet; −1 if the list is not open. */
  waiting(innermost: Frame): number {
    const list = this.#list;
    return list === undefined ? -1 : list.count - (innermost === list ? 0 : 1);
  }

  /** Emits the items so far: now, or before the next item begins if one is open. */
  cut(innermost: Frame): void {
    const list = this.#list;
    if (innermost === list) this.cutHere(list);
    else if (list !== undefined) list.limit = 1;
  }

  /** Emits the items so far of the list being read, unless an anchor belongs to the next one. */
  cutHere(list: Frame): void {
    if (list === this.#list && list.count > 0 && list.tape.length !== this.anchorEnd) this.#flush(list, 0);
  }

  /** Records that all strings so far are valid. */
  check(innermost: Frame): void {
    if (this.#list !== undefined) this.#checked = this.#list.emitted + this.waiting(innermost);
  }

  /** Records that the string at a path, as far as that is known, is not UTF-8: only items before it may be emitted. */
  markInvalid(path: readonly (string | number)[] = []): void {
    const item = path[this.#path.length];
    this.#good = typeof item === 'number' ? item : this.#checked;
  }

  /** Emits the complete, valid items. Nothing may follow. */
  salvage(innermost: Frame): void {
    const list = this.#list;
    if (list === undefined) return;
    list.count = Math.max(0, Math.min(this.waiting(innermost), this.#good - list.emitted));
    list.records = Math.min(list.records, list.count);
    this.#out.raw?.cancel();
    for (const table of this.#out.tables) {
      table.open = false;
      for (const column of table.columns) column.dropInvalid(table.count);
    }
    dropInvalid(this.#out.strings);
    const { tape } = list;
    tape.length = cutItems(tape, list.start + 2, list.count, this.#out.shapeLength);
    if (list.count > 0) this.#flush(list, 0);
  }

  #flush(list: Frame, flags: number): void {
    const out = this.#out;
    const { tape, start, count } = list;
    tape.words[start] = TAG_LIST | (list.isRowList() ? 1 << TAG_BITS : 0);
    tape.words[start + 1] = count;
    out.count(count);
    out.flushBatch(flags | (out.references ? PART_REFERENCES : 0), start);
    tape.words[start] = TAG_LIST;
    tape.length = start + 2;
    list.emitted += count;
    list.count = 0;
    list.records = 0;
    list.run = -1;
    list.lastShape = undefined;
    list.limit = this.#items;
  }
}

/** Drops the last string if it is invalid: it would break those decoded with it. */
function dropInvalid(strings: ByteList): void {
  const last = strings.count - 1;
  if (last < 0) return;
  try {
    decodeWtf8(strings.bytes.subarray(strings.startOf(last), strings.length));
  } catch {
    strings.truncate(last);
  }
}
