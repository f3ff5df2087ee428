import { KIND_VARIANT } from '../../core/block/block.ts';
import { PlacedError } from '../../core/errors.ts';
import type { ColumnData } from '../../core/rows/read-block.ts';

type Opened = Omit<ColumnData, 'read' | 'text'>;

/** Some rows of a column of Arrow: how to convert them, to read single ones, and to place an error in one. */
export interface ColumnSource {
  open(): Opened;
  /** Number of the rows. */
  readonly rows: number;
  /** True if values are charged when they are first read: `isAgain` says that they are not. */
  readonly charges: boolean;
  read(from: number, to: number, isAgain: boolean): unknown[];
  /** Path of the value in a row. */
  path(row: number): readonly (string | number)[];
}

/**
 * A column that is converted and checked as a whole once its kind or data is needed; until then, `read` makes single values,
 * and checks only these.
 */
export class LazyColumn implements ColumnData {
  text: string | undefined = undefined;
  readonly #source: ColumnSource;
  /** 1 for each row that was read, if values are charged. */
  #charged: Uint8Array | undefined;

  constructor(source: ColumnSource) {
    this.#source = source;
  }

  get kind(): ColumnData['kind'] {
    return this.#open().kind;
  }

  /** Undefined before the column is opened: no row lacks the key, and the nulls are not known. */
  get states(): ColumnData['states'] {
    return undefined;
  }

  get data(): ColumnData['data'] {
    return this.#open().data;
  }

  get list(): ColumnData['list'] {
    return this.#open().list;
  }

  get bytes(): ColumnData['bytes'] {
    return this.#open().bytes;
  }

  get ascii(): ColumnData['ascii'] {
    return this.#open().ascii;
  }

  get read(): (from: number, to: number) => unknown[] {
    return this.#read;
  }

  readonly #read = (from: number, to: number): unknown[] => {
    const { charges, rows } = this.#source;
    if (!charges) return this.#values(from, to, true);
    const charged = (this.#charged ??= new Uint8Array(rows));
    let values: unknown[] = [];
    for (let row = from, end = from; row < to; row = end) {
      while (end < to && charged[end] === charged[row]) end += 1;
      const part = this.#values(row, end, charged[row] === 1);
      values = row === from ? part : values.concat(part);
      charged.fill(1, row, end);
    }
    return values;
  };

  #values(from: number, to: number, isAgain: boolean): unknown[] {
    try {
      return this.#source.read(from, to, isAgain);
    } catch (error) {
      if (error instanceof PlacedError && error.path) {
        const [index, ...inner] = error.path as [number, ...(string | number)[]];
        error.path = [...this.#source.path(from + index), ...inner];
      }
      throw located(error);
    }
  }

  /** Converts the column, whose fields take the place of the getters. */
  #open(): Opened {
    let opened: Opened;
    try {
      opened = this.#source.open();
    } catch (error) {
      // Finds the row.
      this.#values(0, this.#source.rows, true);
      throw located(error);
    }
    const read = opened.kind === KIND_VARIANT ? this.#read : undefined;
    for (const [name, value] of Object.entries({ ...opened, read })) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return opened;
  }
}

function located(error: unknown): unknown {
  return error instanceof PlacedError ? error.locate({ format: 'arrow' }) : error;
}
