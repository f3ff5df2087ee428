import { DecodeError, LimitError } from '../../core/errors.ts';
import type { ColumnData } from '../../core/rows/read-block.ts';

type Opened = Omit<ColumnData, 'read' | 'text'>;

/** Some rows of a column of Arrow: how to convert them, to read single ones, and to place an error in one. */
export interface ColumnSource {
  open(): Opened & Pick<ColumnData, 'read'>;
  read(from: number, to: number): unknown[];
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
    try {
      return this.#source.read(from, to);
    } catch (error) {
      // Finds the row.
      if (to - from > 1) for (let row = from; row < to; row++) this.#read(row, row + 1);
      throw this.#located(error, from);
    }
  };

  /** Converts the column, whose fields take the place of the getters. */
  #open(): Opened {
    let opened: ReturnType<ColumnSource['open']>;
    try {
      opened = this.#source.open();
    } catch (error) {
      throw this.#located(error, undefined);
    }
    const read = opened.read && this.#read;
    for (const [name, value] of Object.entries({ ...opened, read })) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return opened;
  }

  #located(error: unknown, row: number | undefined): unknown {
    if (!(error instanceof DecodeError || error instanceof LimitError)) return error;
    return error.locate({ format: 'arrow', ...(row !== undefined && { path: [...this.#source.path(row)] }) });
  }
}
