import { align } from '../../../block/block-file.ts';
import {
  ENTRY_GROUP,
  ENTRY_RAW,
  ENTRY_SHAPES,
  ENTRY_STRINGS,
  ENTRY_TABLE,
  ENTRY_TAPE,
  HEADER_BYTES,
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_TEXT,
  MAGIC,
  VERSION,
} from '../../../block/block.ts';
import type { ByteList } from '../../../bytes/byte-list.ts';
import type { Column } from '../column.ts';
import type { LazyTable } from '../lazy-table.ts';
import type { KeyShape, Table } from '../table.ts';
import type { Tape } from './tape.ts';

type Section = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array | BigInt64Array;

/** Collects the sections of one part, then copies them into one buffer of exact length. */
export class PartWriter {
  #directory: number[] = [];
  #sections: Section[] = [];
  #length = HEADER_BYTES;

  get empty(): boolean {
    return this.#directory.length === 0;
  }

  /** Adds the items of a list from local index `from` on. */
  strings(id: number, list: ByteList, from: number): void {
    const { count, first } = list;
    if (from === count) return;
    const start = from === 0 ? 0 : list.ends[from - 1]!;
    const ends = list.ends.slice(from, count);
    if (start > 0) for (let at = 0; at < ends.length; at++) ends[at]! -= start;
    this.#directory.push(
      ENTRY_STRINGS,
      id,
      first + from,
      count - from,
      this.#section(ends),
      this.#section(list.bytes.subarray(start, list.length)),
      list.length - start,
      list.ascii ? 1 : 0,
    );
  }

  shapes(shapes: readonly KeyShape[], from: number): void {
    if (from === shapes.length) return;
    const parents = Int32Array.from(shapes.slice(from), (shape) => shape.parent!.id);
    this.#directory.push(ENTRY_SHAPES, from, parents.length, this.#section(parents));
  }

  table({ id, shape }: Table): void {
    this.#directory.push(ENTRY_TABLE, id, shape.id);
  }

  group({ id, first, count, tape, columns }: Table): void {
    const words = this.#section(tape.words.subarray(0, tape.length));
    this.#directory.push(ENTRY_GROUP, id, first, count, words, tape.length, columns.length);
    for (const column of columns) {
      const states = column.hasStates ? this.#section(column.states.subarray(0, count)) : 0;
      this.#directory.push(column.kind, states, ...this.#column(column, count));
    }
  }

  raw({ id, first, count, rows, separator }: LazyTable): void {
    this.#directory.push(
      ENTRY_RAW,
      id,
      first,
      count,
      this.#section(rows.ends.subarray(0, count)),
      this.#section(rows.bytes.subarray(0, rows.length)),
      rows.length,
      separator,
    );
  }

  /** Adds a tape from a position on. */
  tape(tape: Tape, from: number): void {
    this.#directory.push(ENTRY_TAPE, this.#section(tape.words.subarray(from, tape.length)), tape.length - from);
  }

  /** Returns the part and empties the writer. */
  finish(flags: number): ArrayBuffer {
    const directory = Int32Array.from(this.#directory);
    const offset = this.#section(directory);
    const part = new ArrayBuffer(this.#length);
    new Int32Array(part, 0, 5).set([MAGIC, VERSION, flags, offset, directory.length]);
    let at = HEADER_BYTES;
    for (const section of this.#sections) {
      const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
      new Uint8Array(part, at, bytes.length).set(bytes);
      at += align(bytes.length);
    }
    this.#directory = [];
    this.#sections = [];
    this.#length = HEADER_BYTES;
    return part;
  }

  /** Data offset and the two words that depend on the kind. */
  #column(column: Column, rows: number): [number, number, number] {
    switch (column.kind) {
      case KIND_EMPTY:
        return [0, 0, 0];
      case KIND_BOOLEAN:
        return [this.#section(new Uint8Array(column.ints.subarray(0, rows))), 0, 0];
      case KIND_FLOAT64:
      case KIND_DATE:
        return [this.#section(column.floats.subarray(0, rows)), 0, 0];
      case KIND_BIGINT64:
        return [this.#section(column.bigints.subarray(0, rows)), 0, 0];
      case KIND_DICTIONARY: {
        const indices = column.ints.subarray(0, rows);
        const { count } = column.dictionary!.list;
        const width = count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4;
        const narrow = width === 1 ? new Uint8Array(indices) : width === 2 ? new Uint16Array(indices) : indices;
        return [this.#section(narrow), column.list, width];
      }
      case KIND_TEXT: {
        const text = column.text!;
        const ends = this.#section(text.ends.subarray(0, rows));
        const bytes = this.#section(text.bytes.subarray(0, text.length));
        return [ends, bytes, text.ascii ? text.length : ~text.length];
      }
      default:
        return [this.#section(column.ints.subarray(0, rows)), 0, 0];
    }
  }

  #section(section: Section): number {
    const offset = this.#length;
    this.#sections.push(section);
    this.#length += align(section.byteLength);
    return offset;
  }
}
