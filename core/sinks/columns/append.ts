import {
  STATE_NULL,
  STATE_UNDEFINED,
  TAG_BITS,
  TAG_DATE,
  TAG_FALSE,
  TAG_FLOAT,
  TAG_INT,
  TAG_MASK,
  TAG_NULL,
  TAG_STRING,
  TAG_TRUE,
  TAG_UNDEFINED,
} from '../../block/block.ts';
import type { ByteList } from '../../bytes/byte-list.ts';
import type { Table } from './table.ts';
import type { Tape } from './output/tape.ts';

/**
 * Reads an object from a tape into a row of its shape's table. `strings` must still hold the object's strings. Returns
 * true if the row no longer refers to them.
 */
export function append(table: Table, row: number, tape: Tape, start: number, strings: ByteList, shapeLength: (shape: number) => number): boolean {
  const { count } = strings;
  let nested = false;
  let at = start + 2;
  for (const column of table.columns) {
    const { words } = tape;
    const word = words[at]!;
    switch (word & TAG_MASK) {
      case TAG_NULL:
        column.state(row, STATE_NULL);
        at += 1;
        break;
      case TAG_UNDEFINED:
        column.state(row, STATE_UNDEFINED);
        at += 1;
        break;
      case TAG_FALSE:
      case TAG_TRUE:
        column.boolean(row, word === TAG_TRUE);
        at += 1;
        break;
      case TAG_INT:
        column.integer(row, word >> TAG_BITS);
        at += 1;
        break;
      case TAG_FLOAT:
        column.float(row, tape.numberAt(at + 1));
        at += 3;
        break;
      case TAG_DATE:
        column.date(row, tape.numberAt(at + 1));
        at += 3;
        break;
      case TAG_STRING: {
        const index = words[at + 1]! - strings.first;
        column.otherString(row, strings.view, strings.startOf(index), strings.ends[index]!);
        at += 2;
        break;
      }
      default: {
        const end = tape.skip(at, shapeLength);
        column.variant(row);
        table.tape.copy(tape, at, end);
        nested = true;
        at = end;
      }
    }
  }
  // A column that became VARIANT has appended its own strings after the object's.
  return !nested && strings.count === count;
}
