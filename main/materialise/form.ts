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
export function formOf(value: unknown, as: ResultForm, except: Iterable<unknown> = []): unknown {
  return as === 'objects' ? value : formerOf(as, new Set(except))(value);
}

/** What gives values the form of `formOf`, one after the other: what it has seen once it leaves alone. */
export function formerOf(as: 'rows' | 'columns', seen = new Set<unknown>()): (value: unknown) => unknown {
  return (value) => {
    const steps = formSteps(value, as, seen);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
}

/** The same as `formOf`, in slices. Without `except`, nothing may stand twice in the value. */
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
  const former = new Former(as, seen);
  for (let holder: object | undefined = root; holder; holder = former.open.pop()) {
    const length = Array.isArray(holder) ? holder.length : 1;
    for (let from = 0; from < length; from += STEP) {
      former.look(holder, from);
      if (former.looked < STEP) continue;
      former.looked = 0;
      yield;
    }
  }
  return root[0];
}

/** Puts forms in the place of lists of records. */
class Former {
  /** Lists and objects that are still to be looked through. */
  readonly open: object[] = [];
  /** Values that were looked at in this step. */
  looked = 0;
  readonly #as: 'rows' | 'columns';
  readonly #seen: Set<unknown> | undefined;

  constructor(as: 'rows' | 'columns', seen: Set<unknown> | undefined) {
    this.#as = as;
    this.#seen = seen;
  }

  /** Looks through the members of an object, or those items of a list that are a step's, from `from` on. */
  look(holder: object, from: number): void {
    if (Array.isArray(holder)) this.#lookAtItems(holder, from);
    else this.#lookAtMembers(holder as Record<string, unknown>);
  }

  #lookAtItems(list: unknown[], from: number): void {
    const to = Math.min(from + STEP, list.length);
    this.looked += to - from;
    for (let index = from; index < to; index += 1) {
      const inner = list[index];
      if (!isObject(inner)) continue;
      const form = this.#formOf(inner);
      if (form !== inner) list[index] = form;
    }
  }

  #lookAtMembers(object: Record<string, unknown>): void {
    for (const key in object) {
      this.looked += 1;
      const inner = object[key];
      if (!isObject(inner) || !Object.hasOwn(object, key)) continue;
      const form = this.#formOf(inner);
      if (form !== inner) object[key] = form;
    }
  }

  /** What stands in the place of an object. One in which there may be lists is looked through at once or later. */
  #formOf(inner: object): unknown {
    if (Array.isArray(inner)) {
      if (holdsNumbers(inner) || !this.#isNew(inner)) return inner;
      if (inner.every(isRecord)) {
        const rows = rowsOf(inner);
        return this.#as === 'rows' ? rows : rows.columns();
      }
      if (inner.length > STEP) this.open.push(inner);
      else this.#lookSoon(inner);
    } else if (isRecord(inner) && this.#isNew(inner)) this.#lookSoon(inner);
    return inner;
  }

  /** At once in what is left of the step: what was made together lies together in memory. */
  #lookSoon(inner: object): void {
    if (this.looked < STEP) this.look(inner, 0);
    else this.open.push(inner);
  }

  #isNew(inner: object): boolean {
    if (this.#seen?.has(inner)) return false;
    this.#seen?.add(inner);
    return true;
  }
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
