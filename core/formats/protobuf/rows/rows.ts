import { ROWS_BIGINTS, ROWS_INT64 } from '../../../reading/rows/flags.ts';
import { ANY_ITEMS, rowRequest } from '../../../reading/rows/request.ts';
import { RowSteps } from '../../../reading/rows/steps.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Limits } from '../../../limits.ts';
import { DEFAULTED, ENUM_NAME, PLAIN, type Plan, RAW_STRING, UNLESS_ZERO, CLOSED, OTHER } from '../read/plan.ts';
import {
  FIELD_BOOL,
  FIELD_DOUBLE,
  FIELD_ENUM,
  FIELD_FIXED32,
  FIELD_FIXED64,
  FIELD_FLOAT,
  FIELD_INT32,
  FIELD_INT64,
  FIELD_OTHER,
  FIELD_SFIXED32,
  FIELD_SFIXED64,
  FIELD_SINT32,
  FIELD_SINT64,
  FIELD_STRING,
  FIELD_UINT32,
  FIELD_UINT64,
  MISSING_ABSENT,
  MISSING_DEFAULT,
} from './row-operations.ts';
import {
  BOOL,
  DOUBLE,
  ENUM,
  FIXED32,
  FIXED64,
  FLOAT,
  INT32,
  INT64,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  UINT32,
  UINT64,
  WIRE,
} from '../schema/schema.ts';
import type { Walker } from '../read/walker.ts';

/** With fewer defaults left in the budget, messages are read one by one. */
const FEW_DEFAULTS = 1000;
/** Largest tag of two bytes. */
const MAX_TAG = 0x3fff;

const OPERATIONS = new Map([
  [INT32, FIELD_INT32],
  [ENUM, FIELD_INT32],
  [UINT32, FIELD_UINT32],
  [SINT32, FIELD_SINT32],
  [INT64, FIELD_INT64],
  [UINT64, FIELD_UINT64],
  [SINT64, FIELD_SINT64],
  [BOOL, FIELD_BOOL],
  [ENUM_NAME, FIELD_ENUM],
  [FLOAT, FIELD_FLOAT],
  [FIXED32, FIELD_FIXED32],
  [SFIXED32, FIELD_SFIXED32],
  [DOUBLE, FIELD_DOUBLE],
  [FIXED64, FIELD_FIXED64],
  [SFIXED64, FIELD_SFIXED64],
  [STRING, FIELD_STRING],
  [RAW_STRING, FIELD_STRING],
]);

/** Lets the sink read the messages of a list itself if their fields are scalars. */
export class RowReading {
  /** Number of messages to read one by one before the next request. */
  pause = Infinity;
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #walker: Walker;
  /** Two requests per message type: in a sequence and in a list. Null if no kernel reads the type. */
  readonly #requests: (RowRequest | null | undefined)[] = [];

  constructor(plan: Plan, sink: Sink, limits: Limits, walker: Walker) {
    this.#plan = plan;
    this.#sink = sink;
    this.#limits = limits;
    this.#walker = walker;
  }

  /**
   * Reads messages of a type, each after a one-byte tag and its length, or after its length alone if `tag` is 0.
   * Returns the position after the last.
   */
  read(type: number, tag: number, bytes: Uint8Array, at: number, to: number): number {
    const place = 2 * type + (tag === 0 ? 0 : 1);
    const request = (this.#requests[place] ??= this.#request(type, tag));
    if (request === null) {
      this.pause = Infinity;
      return at;
    }
    const walker = this.#walker;
    const left = this.#limits.values - walker.values - 1;
    const defaults = walker.budget.left;
    this.pause = Math.max(request.skipRecords, 1);
    if (request.skipRecords > 0 || defaults < FEW_DEFAULTS || walker.outer >= this.#limits.depth) {
      request.skipRecords = 0;
      return at;
    }
    request.head = tag;
    request.values = left;
    request.items = Math.min(ANY_ITEMS, Math.floor(defaults / this.#plan.count[type]!));
    request.defaults = 0;
    const next = this.#sink.readRows!(request, bytes, at, to);
    walker.add(left - request.values);
    walker.budget.spend(request.defaults);
    this.pause = Math.max(request.skipRecords, 1);
    request.skipRecords = 0;
    return next;
  }

  #request(type: number, tag: number): RowRequest | null {
    const { int64, keys } = this.#plan;
    const steps = stepsOf(this.#plan, type);
    if (steps === undefined) return null;
    const flags = int64 === 'bigint' ? ROWS_BIGINTS : ROWS_INT64;
    const request = rowRequest('protobuf', flags, this.#limits.stringLength, { objectValues: tag === 0 ? 0 : 1, steps });
    request.record = this.#sink.defineRecord(keys[type]!);
    return request;
  }
}

/** Kernel operations for the fields of a message; undefined if a kernel cannot read such messages. */
function stepsOf(plan: Plan, type: number): RowSteps | undefined {
  const count = plan.count[type]!;
  const isPlain = plan.kind[type] === PLAIN && plan.oneofCount[type] === 0 && !plan.keepUnknown && plan.int64 !== 'string';
  if (!isPlain || count === 0 || (plan.checksRequired && plan.required[type]!.length > 0)) return undefined;
  const steps = new RowSteps();
  for (let index = 0; index < count; index += 1) if (!addField(steps, plan, plan.first[type]! + index, index)) return undefined;
  return steps;
}

function addField(steps: RowSteps, plan: Plan, field: number, column: number): boolean {
  const flags = plan.flags[field]!;
  const quick = plan.quick[field]!;
  const type = plan.type[field]!;
  const operation = quick === OTHER ? undefined : OPERATIONS.get(quick);
  const tag = plan.number[field]! * 8 + WIRE[type === ENUM_NAME ? ENUM : type === RAW_STRING ? STRING : type]!;
  const isDefaulted = (flags & DEFAULTED) !== 0;
  if ((flags & CLOSED) !== 0 || quick >= UNLESS_ZERO) return false;
  // An enum has an explicit default even if it is 0.
  if (isDefaulted && (operation === undefined || (plan.fields[field]!.default ?? 0) !== 0)) return false;
  let first = 0;
  let symbols = 0;
  if (operation === FIELD_STRING) first = steps.addSymbols(['']);
  if (operation === FIELD_ENUM) {
    const names = namesOf(plan, field);
    if (names.length === 0) return false;
    symbols = names.length;
    first = steps.addSymbols(names);
  }
  steps.add(operation ?? FIELD_OTHER, column, isDefaulted ? MISSING_DEFAULT : MISSING_ABSENT, first);
  // −1 matches no tag: the kernel reads tags of at most two bytes.
  steps.add(tag <= MAX_TAG ? tag : -1, -1, 0, symbols);
  return true;
}

/** Names of an enum's numbers from 0 up to the first gap. */
function namesOf(plan: Plan, field: number): string[] {
  const constants = plan.enums[plan.ref[field]!]!;
  const names: string[] = [];
  for (let constant = constants.get(0); constant !== undefined; constant = constants.get(names.length)) names.push(plan.constants.text(constant));
  return names;
}
