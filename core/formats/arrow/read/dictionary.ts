import type { Budget } from '../../../budget.ts';
import { type Repairs, textFor } from '../../../bytes/text/text-for.ts';
import { ByteList } from '../../../bytes/byte-list.ts';
import { type Column, type DictionaryText, type DictionaryValues, isNull, type Range, textRange } from './column.ts';
import { type Field, UTF8, UTF8_VIEW } from './schema.ts';

/** The values of a dictionary, which grow with each delta. They are read when they are first needed. */
export class Dictionary implements DictionaryValues {
  length = 0;
  /** The values as text; undefined for other types. */
  readonly texts: DictionaryText | undefined;
  readonly chunks: Column[] = [];
  /** Index of each chunk's first value. */
  readonly #firsts: number[] = [];

  constructor(values: Field, budget: Budget, repairs: Repairs = {}) {
    this.texts = values.kind === UTF8 || values.kind === UTF8_VIEW ? new DictionaryTexts(this, budget, repairs) : undefined;
  }

  /** Appends values. */
  add(column: Column): void {
    this.chunks.push(column);
    this.#firsts.push(this.length);
    this.length += column.length;
  }

  /** The chunk with a value, and its row there. */
  find(index: number): { column: Column; row: number } {
    let low = 0;
    for (let high = this.chunks.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.#firsts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return { column: this.chunks[low]!, row: index - this.#firsts[low]! };
  }
}

/** The text of a dictionary. Throws a DecodeError for text that is not UTF-8, or lies outside of its buffer. */
class DictionaryTexts implements DictionaryText {
  readonly #dictionary: Dictionary;
  readonly #budget: Budget;
  readonly #repairs: Repairs;
  readonly #list = new ByteList();
  /** Chunks in the list. */
  #listed = 0;
  /** Values that were read. */
  readonly #texts: (string | null | undefined)[] = [];

  constructor(dictionary: Dictionary, budget: Budget, repairs: Repairs) {
    this.#dictionary = dictionary;
    this.#repairs = repairs;
    this.#budget = budget;
  }

  get mayHaveNulls(): boolean {
    return this.#dictionary.chunks.some(({ validity }) => validity >= 0);
  }

  get list(): ByteList {
    const { chunks } = this.#dictionary;
    for (; this.#listed < chunks.length; this.#listed++) this.#append(chunks[this.#listed]!);
    return this.#list;
  }

  get view(): DataView {
    return this.list.view;
  }

  at(index: number): string | null {
    const text = this.#texts[index];
    return text === undefined ? (this.#texts[index] = this.#decode(index)) : text;
  }

  text(index: number): string {
    return this.at(index) ?? '';
  }

  start(index: number): number {
    return this.list.startOf(index);
  }

  end(index: number): number {
    return this.list.ends[index]!;
  }

  #decode(index: number): string | null {
    const { column, row } = this.#dictionary.find(index);
    if (isNull(column, row)) return null;
    const { from, to } = this.#range(column, row);
    return textFor(this.#repairs, column.source.bytes, from, to, column.source.base);
  }

  #append(column: Column): void {
    const { source, length } = column;
    for (let row = 0; row < length; row++) {
      if (isNull(column, row)) this.#list.append(source.view, 0, 0);
      else {
        const { from, to } = this.#range(column, row);
        // Other text than ASCII is decoded to check it.
        if (!this.#list.append(source.view, from, to)) textFor(this.#repairs, source.bytes, from, to, source.base);
      }
    }
  }

  /** The range of a value, whose bytes views may share with others. */
  #range(column: Column, row: number): Range {
    const range = textRange(column, row);
    if (column.field.kind === UTF8_VIEW) this.#budget.spendBytes(range.to - range.from, column.source.base + range.from);
    return range;
  }
}
