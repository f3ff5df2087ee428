import type { Slicer } from '../slicing/slicer.ts';
import { Block } from './block.ts';
import { isRecord } from './property.ts';
import { Rows } from './rows.ts';

/** The form of a result: plain objects, `Rows` for lists of records, or typed arrays for their columns. */
export type ResultForm = 'objects' | 'rows' | 'columns';

/**
 * A value that was made of plain objects, in the form that was asked for: each list of records in it, the outermost ones,
 * becomes `Rows` of those records, or their columns, but for what is in the values of `except`. The value itself is taken
 * apart; nothing of it is copied.
 */
export function resultShape(value: unknown, as: ResultForm, except: Iterable<unknown> = []): unknown {
  return as === 'objects' ? value : formerOf(as, new Set(except))(value);
}

/** What gives values the form of `resultShape`, one after the other: what it has seen once it leaves alone. */
export function formerOf(as: 'rows' | 'columns', seen = new Set<unknown>()): (value: unknown) => unknown {
  return (value) => {
    const steps = formSteps(value, as, seen);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
}

/** The same as `resultShape`, in slices. Without `except`, nothing may stand twice in the value. */
export async function formInSlices(value: unknown, as: ResultForm, except: Iterable<unknown> | undefined, slicer: Slicer): Promise<unknown> {
  if (as === 'objects') return value;
  const steps = formSteps(value, as, except && new Set(except));
  slicer.begin();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (slicer.due()) await slicer.pause();
    }
  } finally {
    slicer.end();
  }
}

/** `Rows` of records that are objects already. Batches may also have other items. */
export function rowsOf(records: unknown[]): Rows {
  return new Rows([{ table: Block.listed(records as object[]), first: 0, count: records.length, builder: undefined }]);
}

/** So many values are looked at in a step. */
const STEP = 1024;

/** Gives a value a form, step by step. */
function* formSteps(value: unknown, as: 'rows' | 'columns', seen: Set<unknown> | undefined): Generator<undefined, unknown, undefined> {
  const root = [value];
  const open: object[] = [];
  const formed = (inner: object): unknown => {
    if (seen?.has(inner) || (Array.isArray(inner) ? holdsNumbers(inner) : !isRecord(inner))) return inner;
    seen?.add(inner);
    if (!Array.isArray(inner) || !inner.every(isRecord)) {
      open.push(inner);
      return inner;
    }
    const rows = rowsOf(inner);
    return as === 'rows' ? rows : rows.columns();
  };
  let looked = 0;
  for (let holder: object | undefined = root; holder; holder = open.pop()) {
    const length = Array.isArray(holder) ? holder.length : 1;
    for (let from = 0; from < length; from += STEP) {
      looked += Array.isArray(holder) ? replaceItems(holder, from, formed) : replaceMembers(holder as Record<string, unknown>, formed);
      if (looked < STEP) continue;
      looked = 0;
      yield;
    }
  }
  return root[0];
}

/** Replaces the objects in a list by what they become, as many as are a step's. Returns how many items it has looked at. */
function replaceItems(list: unknown[], from: number, formed: (inner: object) => unknown): number {
  const to = Math.min(from + STEP, list.length);
  for (let index = from; index < to; index += 1) {
    const inner = list[index];
    if (!isObject(inner)) continue;
    const form = formed(inner);
    if (form !== inner) list[index] = form;
  }
  return to - from;
}

/** Replaces the objects in an object by what they become. Returns how many members it has looked at. */
function replaceMembers(object: Record<string, unknown>, formed: (inner: object) => unknown): number {
  let count = 0;
  for (const key in object) {
    count += 1;
    const inner = object[key];
    if (!isObject(inner) || !Object.hasOwn(object, key)) continue;
    const form = formed(inner);
    if (form !== inner) object[key] = form;
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether it is a list of numbers, in which nothing is replaced: most of what a document without records has. */
function holdsNumbers(value: readonly unknown[]): boolean {
  return typeof value.at(0) === 'number' && typeof value.at(-1) === 'number' && areNumbers(value);
}

/** By itself, so that engines hardly see other lists here, and make no object of each number: see `json-values.ts`. */
function areNumbers(list: readonly unknown[]): boolean {
  for (let index = 0; index < list.length; index += 1) if (typeof list[index] !== 'number') return false;
  return true;
}
