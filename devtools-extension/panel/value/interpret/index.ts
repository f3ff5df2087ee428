import * as is from '../../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../../core/sinks/spans/tree.ts';
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
      return interpretInteger(BigInt(numbers[node]!));
    case is.BIGINT:
      return interpretInteger(storedValues.get(node) as bigint);
    case is.FLOAT:
      return interpretFloat(numbers[node]!);
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
