import { ROWS_INT64 } from '../../../reading/rows/flags.ts';
import { rowRequest } from '../../../reading/rows/request.ts';
import { RowSteps } from '../../../reading/rows/steps.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import { ROW_BOOLEAN, ROW_DATE, ROW_FLOAT, ROW_INT, ROW_STRING, ROW_UINT } from './row-operations.ts';
import { BOOLEAN, DATE, FLOAT, INT, type JsBinarySchema, OBJECT, STRING, UINT } from '../schema.ts';

/** Kernel operations by the kind of a field. */
const OPERATIONS = new Map([
  [UINT, ROW_UINT],
  [INT, ROW_INT],
  [DATE, ROW_DATE],
  [FLOAT, ROW_FLOAT],
  [BOOLEAN, ROW_BOOLEAN],
  [STRING, ROW_STRING],
]);

/** Request for rows of the items of an array; null if these are not objects of scalars. */
export function rowsOf(schema: JsBinarySchema, type: number, longest: number): RowRequest | null {
  const { kinds, first, last, empty, fieldTypes, optional } = schema;
  if (kinds[type] !== OBJECT || empty[type]! > 0) return null;
  const steps = new RowSteps();
  for (let field = first[type]!; field < last[type]!; field += 1) {
    const operation = OPERATIONS.get(kinds[fieldTypes[field]!]!);
    if (operation === undefined) return null;
    steps.add(operation, field - first[type]!, optional[field]);
  }
  return rowRequest('jsbinary', ROWS_INT64, longest, { objectValues: 1, steps });
}
