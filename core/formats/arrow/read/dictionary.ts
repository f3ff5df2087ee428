import { decodeUtf8 } from '../../../bytes/text/text.ts';
import { ByteList } from '../../../sinks/columns/output/byte-list.ts';
import { type Column, type DictionaryText, type DictionaryValues, isNull, textRange } from './column.ts';
import { type Field, UTF8, UTF8_VIEW } from './schema.ts';

/** The values of a dictionary, which grow with each delta. */
export class Dictionary implements DictionaryValues {
  length = 0;
  /** The values as text; undefined for other types. */
  readonly texts: DictionaryTexts | undefined;
  readonly chunks: Column[] = [];
  /** Index of each chunk's first value. */
  readonly #firsts: number[] = [];

  constructor(values: Field) {
    this.texts = values.kind === UTF8 || values.kind === UTF8_VIEW ? new DictionaryTexts() : undefined;
  }

  /** Appends values. Throws a DecodeError for text that is not UTF-8. */
  add(column: Column): void {
    this.texts?.add(column);
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

/** The text of a dictionary as consecutive UTF-8. */
class DictionaryTexts implements DictionaryText {
  readonly list = new ByteList();
  hasNulls = false;
  readonly #texts: (string | null)[] = [];

  get view(): DataView {
    return this.list.view;
  }

  /** The text of a value; null if the value is null. */
  at(index: number): string | null {
    return this.#texts[index]!;
  }

  text(index: number): string {
    return this.#texts[index] ?? '';
  }

  start(index: number): number {
    return this.list.startOf(index);
  }

  end(index: number): number {
    return this.list.ends[index]!;
  }

  add(column: Column): void {
    const { source, length } = column;
    for (let row = 0; row < length; row++) {
      if (isNull(column, row)) {
        this.hasNulls = true;
        this.#texts.push(null);
        this.list.append(source.view, 0, 0);
      } else {
        const { from, to } = textRange(column, row);
        this.#texts.push(decodeUtf8(source.bytes, from, to, source.base));
        this.list.append(source.view, from, to);
      }
    }
  }
}
