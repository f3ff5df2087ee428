import { fieldsOf, type RecordTable } from '../../../core/sinks/spans/records.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { type ValueText, valueText } from '../../values/value-text.ts';

const MEASURED = 50;
const MIN_CHARACTERS = 5;
const MAX_CHARACTERS = 32;

/** Column widths in characters, from the name and the first values, within limits. */
export function columnWidths(tree: SpanTree, { rows, columns }: RecordTable): number[] {
  const widths = columns.map((column) => Math.max(MIN_CHARACTERS, tree.data.names[column]!.length));
  for (const row of rows.subarray(0, MEASURED)) {
    for (const [index, field] of fieldsOf(tree, row, columns).entries()) {
      if (field >= 0) widths[index] = Math.max(widths[index]!, cellText(tree, field).text.length);
    }
  }
  return widths.map((width) => Math.min(width, MAX_CHARACTERS));
}

/** Text of a cell: strings without quotation marks. */
export function cellText(tree: SpanTree, field: number): ValueText {
  const { text, kind } = valueText(tree, field);
  return { text: kind === 'string' ? text.slice(1, -1) : text, kind };
}
