import { EmptyCells } from '../../core/empty-cells.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices, type Slicer } from '../../core/slicing/slicer.ts';
import { columnsOf } from './column-forms.ts';
import { isRecord } from '../../core/values/property.ts';
import { inOneGo, RunList } from '../../core/rows/row-list.ts';
import { Rows } from './rows.ts';
import { runOfObjects } from '../../core/rows/run.ts';

/** Form of a result: plain objects, `Rows` for lists of records, or typed arrays for their columns. */
export type ResultForm = 'objects' | 'rows' | 'columns';

/**
 * Converts a value made of plain objects to the requested form. The outermost lists of records become `Rows` or
 * columns, for which `cells` is charged. Modifies the value; nothing is copied.
 */
export function resultShape(value: unknown, as: ResultForm, cells?: EmptyCells): unknown {
  return as === 'objects' ? value : converterOf(as, cells)(value);
}

/** Creates a function that converts values like `resultShape`, one after another, and skips objects already seen. */
export function converterOf(as: 'rows' | 'columns', cells?: EmptyCells): (value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (value) => inOneGo(conversionSteps(value, as, cells, seen));
}

/** Converts like `resultShape`, in slices, except inside the values of `except`. Without `except`, no object may occur twice in the value. */
export async function formInSlices(
  value: unknown,
  as: 'rows' | 'columns',
  except: Iterable<unknown> | undefined,
  slicer: Slicer,
  limits?: Limits,
): Promise<unknown> {
  const cells = limits && new EmptyCells(limits);
  return await inSlices(conversionSteps(value, as, cells, except && new Set(except)), slicer);
}

/**
 * The form of a list: rows, if it contains a record and no list, or nothing but null and undefined; converted items, if it
 * contains a list. A list of other values alone is left as it is.
 */
export function listKind(list: readonly unknown[]): 'rows' | 'lists' | 'others' {
  let hasRecord = false;
  let hasOther = false;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (typeof item !== 'object') hasOther ||= item !== undefined;
    else if (Array.isArray(item)) return 'lists';
    else if (isRecord(item)) hasRecord = true;
    else hasOther ||= item !== null;
  }
  return hasRecord || !hasOther ? 'rows' : 'others';
}

/**
 * Converts a list that becomes rows. Columns have no place for items other than records, null and undefined: a list with
 * others is returned as it is.
 */
export function rowsOrColumns(list: unknown[], as: 'rows' | 'columns', cells?: EmptyCells): unknown {
  if (as === 'rows') return rowsOf(list);
  return list.every((item) => item === null || item === undefined || isRecord(item)) ? columnsOf(listOf(list), cells) : list;
}

/** Creates `Rows` of items that are objects already. */
export function rowsOf(records: unknown[]): Rows {
  return new Rows(listOf(records));
}

function listOf(records: unknown[]): RunList {
  return new RunList([runOfObjects(records as object[])]);
}

/** Values checked per step. */
const STEP = 1024;

/** Converts a value step by step. */
function* conversionSteps(
  value: unknown,
  as: 'rows' | 'columns',
  cells: EmptyCells | undefined,
  seen: Set<unknown> | undefined,
): Generator<undefined, unknown, undefined> {
  const root = [value];
  const open: object[] = [];
  const convert = (child: object): unknown => {
    if (seen?.has(child) || (Array.isArray(child) ? holdsNumbers(child) : !isRecord(child))) return child;
    seen?.add(child);
    const kind = Array.isArray(child) ? listKind(child) : 'lists';
    if (kind === 'rows') return rowsOrColumns(child as unknown[], as, cells);
    if (kind === 'lists') open.push(child);
    return child;
  };
  let checked = 0;
  for (let holder: object | undefined = root; holder; holder = open.pop()) {
    const length = Array.isArray(holder) ? holder.length : 1;
    for (let from = 0; from < length; from += STEP) {
      checked += Array.isArray(holder) ? replaceItems(holder, from, convert) : replaceMembers(holder as Record<string, unknown>, convert);
      if (checked < STEP) continue;
      checked = 0;
      yield;
    }
  }
  return root[0];
}

/** Converts the objects in one step's range of a list. Returns the number of items checked. */
function replaceItems(list: unknown[], from: number, convert: (child: object) => unknown): number {
  const to = Math.min(from + STEP, list.length);
  for (let index = from; index < to; index += 1) {
    const child = list[index];
    if (!isObject(child)) continue;
    const form = convert(child);
    if (form !== child) list[index] = form;
  }
  return to - from;
}

/** Converts the objects in an object. Returns the number of members checked. */
function replaceMembers(object: Record<string, unknown>, convert: (child: object) => unknown): number {
  let count = 0;
  for (const key in object) {
    count += 1;
    const child = object[key];
    if (!isObject(child) || !Object.hasOwn(object, key)) continue;
    const form = convert(child);
    if (form !== child) object[key] = form;
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for a list of numbers, which needs no conversion: the bulk of a document without records. */
function holdsNumbers(value: readonly unknown[]): boolean {
  return typeof value.at(0) === 'number' && typeof value.at(-1) === 'number' && areNumbers(value);
}

/**
 * A separate function, so that engines seldom see other lists here and do not box each number: see `listNestsDeeper` in
 * `json/values.ts`.
 */
function areNumbers(list: readonly unknown[]): boolean {
  for (let index = 0; index < list.length; index += 1) if (typeof list[index] !== 'number') return false;
  return true;
}
