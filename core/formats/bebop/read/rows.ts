import { ROWS_BIGINTS, ROWS_INT64 } from '../../../reading/rows/flags.ts';
import { MIN_ROWS, readRows, rowRequest } from '../../../reading/rows/request.ts';
import { RowSteps } from '../../../reading/rows/steps.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import type { Limits } from '../../../limits.ts';
import type { Plan } from './plan.ts';
import {
  ROW_BOOL,
  ROW_BYTE,
  ROW_DATE,
  ROW_FLOAT32,
  ROW_FLOAT64,
  ROW_INT16,
  ROW_INT32,
  ROW_INT64,
  ROW_STRING,
  ROW_UINT16,
  ROW_UINT32,
  ROW_UINT64,
} from './row-operations.ts';
import { BOOL, BYTE, DATE, FLOAT32, FLOAT64, INT16, INT32, INT64, STRING, STRUCT, UINT16, UINT32, UINT64 } from '../schema/schema.ts';

/** Kernel operations by the kind of a field. */
const OPERATIONS = new Map([
  [BOOL, ROW_BOOL],
  [BYTE, ROW_BYTE],
  [UINT16, ROW_UINT16],
  [INT16, ROW_INT16],
  [UINT32, ROW_UINT32],
  [INT32, ROW_INT32],
  [UINT64, ROW_UINT64],
  [INT64, ROW_INT64],
  [FLOAT32, ROW_FLOAT32],
  [FLOAT64, ROW_FLOAT64],
  [DATE, ROW_DATE],
  [STRING, ROW_STRING],
]);

/** Lets the sink read structs of an array whose fields are scalars. */
export class RowReading {
  /** Results of `read`: the structs left over, and the values of those read. */
  left = 0;
  values = 0;
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #records: readonly RecordId[];
  /** By type; null if no kernel reads it. */
  readonly #requests: (RowRequest | null | undefined)[] = [];

  constructor(plan: Plan, sink: Sink, limits: Limits, records: readonly RecordId[]) {
    this.#plan = plan;
    this.#sink = sink;
    this.#limits = limits;
    this.#records = records;
  }

  /** Reads up to `left` structs of a type, with up to `most` values. Returns the position after the last one read. */
  read(type: number, left: number, most: number, bytes: Uint8Array, at: number, to: number): number {
    this.left = left;
    this.values = 0;
    if (left < MIN_ROWS) return at;
    const request = (this.#requests[type] ??= this.#request(type));
    if (request === null) return at;
    const next = readRows(this.#sink, request, bytes, at, to, most, left);
    this.values = most - request.values;
    this.left = request.items;
    return next;
  }

  #request(type: number): RowRequest | null {
    const plan = this.#plan;
    if (plan.kind[type] !== STRUCT || plan.empty[type] === 1 || plan.int64 === 'string') return null;
    const steps = new RowSteps();
    for (const [column, field] of plan.fieldTypes[plan.ref[type]!]!.entries()) {
      const operation = OPERATIONS.get(plan.kind[field]!);
      if (operation === undefined) return null;
      steps.add(operation, column);
    }
    const request = rowRequest('bebop', plan.int64 === 'bigint' ? ROWS_BIGINTS : ROWS_INT64, this.#limits.stringLength, { objectValues: 1, steps });
    request.record = this.#records[plan.ref[type]!]!;
    return request;
  }
}
