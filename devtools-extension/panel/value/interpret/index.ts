import * as is from '../../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../../core/sinks/spans/tree.ts';
import { numberText } from '../../../values/number-text.ts';
import { interpretBytes } from './bytes.ts';
import type { Interpretation } from './interpretation.ts';
import { interpretDate, interpretFloat, interpretInteger } from './numbers.ts';
import { interpretText } from './text.ts';

export type { Interpretation } from './interpretation.ts';

/** Maximum length of text to interpret, in UTF-16 units. */
const MAX_TEXT = 100_000;

/** Possible meanings of a value. */
export function interpret(tree: SpanTree, node: number): Interpretation[] {
  const { kinds, numbers, storedValues } = tree.data;
  switch (kinds[node]) {
    case is.INTEGER:
    case is.FLOAT:
      return interpretNumber(numberText(tree, node), numbers[node]!, kinds[node] === is.INTEGER);
    case is.BIGINT:
      return interpretInteger(storedValues.get(node) as bigint);
    case is.STRING:
    case is.TEXT:
      return interpretText(tree.text(node, MAX_TEXT));
    case is.BINARY:
      return interpretBytes(tree.binary(node));
    case is.DATE:
      return interpretDate(numbers[node]!);
    default:
      return [];
  }
}

/** A JSON number is an integer by its text: a large one does not fit into a double. */
function interpretNumber(text: string, number: number, isInteger: boolean): Interpretation[] {
  if (/^-?\d+$/.test(text) && (isInteger || Math.abs(number) > Number.MAX_SAFE_INTEGER)) return interpretInteger(BigInt(text));
  return isInteger ? interpretInteger(BigInt(number)) : interpretFloat(number);
}
