import { ROWS_BIGINTS, ROWS_INT64 } from '../../../reading/rows/flags.ts';
import { ANY_ITEMS, MIN_ROWS, readRows, rowRequest } from '../../../reading/rows/request.ts';
import { RowSteps } from '../../../reading/rows/steps.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Machine } from './machine.ts';
import * as op from './plan.ts';
import {
  ROW_AS_FLOAT,
  ROW_BOOLEAN,
  ROW_DATE,
  ROW_DOUBLE,
  ROW_ENUM,
  ROW_FLOAT,
  ROW_INSTANT,
  ROW_INT,
  ROW_LONG,
  ROW_NULL,
  ROW_PASS_FIXED,
  ROW_PASS_LONG,
  ROW_PASS_STRING,
  ROW_STRING,
  ROW_UNION,
} from './row-operations.ts';
import { MICROS, MILLIS } from '../schema/schema.ts';

/** Instructions with an equivalent kernel operation. */
const SAME = new Map([
  [op.BOOLEAN, ROW_BOOLEAN],
  [op.INT, ROW_INT],
  [op.FLOAT, ROW_FLOAT],
  [op.DOUBLE, ROW_DOUBLE],
  [op.STRING, ROW_STRING],
  [op.AS_DATE, ROW_DATE],
  [op.AS_FLOAT, ROW_AS_FLOAT],
  [op.SKIP_VARINT, ROW_PASS_LONG],
  [op.SKIP_STRING, ROW_PASS_STRING],
  [op.SKIP_FIXED, ROW_PASS_FIXED],
]);

/** Lets the sink read the records of a list itself if their fields are scalars. */
export class RowReading {
  /** Records of the list that remain. */
  left = 0;
  readonly #machine: Machine;
  readonly #flags: number;
  /** Requests by plan and by the position of a record's instructions; null if no kernel reads such records. */
  readonly #requests = new Map<op.Plan, (RowRequest | null | undefined)[]>();

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#flags = machine.int64 === 'bigint' ? ROWS_BIGINTS : ROWS_INT64;
  }

  /**
   * Reads on from an item that is a record, whose fields are read by the instructions at `pc`. `values` is the number
   * of values that an item counts for in addition to its fields. Returns the position after the last item read, and
   * sets `left`.
   */
  read(record: number, pc: number, values: 0 | 1, left: number, bytes: Uint8Array, at: number, to: number): number {
    this.left = left;
    if (left < MIN_ROWS) return at;
    const machine = this.#machine;
    let requests = this.#requests.get(machine.plan);
    if (requests === undefined) this.#requests.set(machine.plan, (requests = []));
    const request = (requests[pc] ??= this.#request(record, pc, values));
    if (request === null) return at;
    const most = machine.mostValues - machine.values;
    request.record = machine.record(record);
    const next = readRows(machine.sink, request, bytes, at, to, most, left);
    machine.values += most - request.values;
    this.left = request.items;
    return next;
  }

  /** Reads data at the root: `left` of them, or up to the end of the input. */
  readRoots(pc: number, bytes: Uint8Array, at: number, to: number, left: number): number {
    const machine = this.#machine;
    const { code, bodies } = machine.plan;
    if (code[pc] !== op.RECORD || machine.depth + machine.outer >= machine.limits.depth) {
      this.left = left;
      return at;
    }
    const record = code[pc + 2]!;
    const next = this.read(record, bodies[record]!, 1, machine.endless ? ANY_ITEMS : left, bytes, at, to);
    if (machine.endless) this.left = left;
    return next;
  }

  #request(record: number, pc: number, values: 0 | 1): RowRequest | null {
    const { plan, int64, longestString } = this.#machine;
    const steps = int64 === 'string' ? undefined : stepsOf(plan, record, pc);
    return steps ? rowRequest('avro', this.#flags, longestString, { objectValues: values, steps }) : null;
  }
}

/** Kernel operations for the fields of a record; undefined if a field's type has none. */
function stepsOf(plan: op.Plan, record: number, pc: number): RowSteps | undefined {
  const { code } = plan;
  if (plan.free[record]! > 0) return undefined;
  const steps = new RowSteps();
  for (let at = pc; code[at] !== op.END_RECORD && code[at] !== op.END_ITEM; at += op.WORDS) {
    if (!addStep(steps, plan, at, code[at + 1]!)) return undefined;
  }
  return steps.finish();
}

/** Adds the step of an instruction, whose value belongs to a column. Returns false if no kernel operation fits. */
function addStep(steps: RowSteps, plan: op.Plan, at: number, column: number): boolean {
  const { code, list, constants } = plan;
  const operation = code[at]!;
  const a = code[at + 2]!;
  const b = code[at + 3]!;
  const same = SAME.get(operation);
  if (same !== undefined) {
    steps.add(same, column, a);
    return true;
  }
  switch (operation) {
    case op.LONG:
      steps.add(ROW_LONG, column);
      return true;
    case op.AS_INSTANT:
      steps.add(ROW_INSTANT, column, a === MILLIS ? 1 : a === MICROS ? 1000 : 1_000_000);
      return true;
    case op.ENUM:
      steps.add(ROW_ENUM, column, steps.addSymbols(Array.from(list.subarray(a, a + b), (symbol) => constants.text(symbol))), b);
      return true;
    case op.UNION: {
      const branches = new RowSteps(steps.symbols);
      for (const branch of list.subarray(a, a + b)) {
        if (code[branch] === op.NULL && column >= 0) branches.add(ROW_NULL, column);
        else if (code[branch] === op.UNION || !addStep(branches, plan, branch, column)) return false;
      }
      steps.addBranches(ROW_UNION, column, branches);
      return true;
    }
    default:
      return false;
  }
}
