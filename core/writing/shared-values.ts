import { pass, STOPPED } from '../bytes/output.ts';
import { classOf } from './class-of.ts';

/** Values between two checks of the clock. */
const BATCH = 2_000;

/** An object that occurs several times, or inside itself. */
export interface SharedValue {
  /** From 1, in the order in which objects are found a second time; or a number of the format's own. */
  id: number;
  /** True once the object has been written, so that others refer to it. */
  isWritten: boolean;
}

/** The contents of an object, in the order in which they are written. */
type Inside = readonly unknown[];

/**
 * Finds the objects that occur more than once in a value, before it is written: a referenced object may need a mark,
 * which cannot be added after its bytes have been emitted.
 */
export class SharedValues {
  readonly #found = new Map<object, SharedValue>();
  readonly #seen = new Set<object>();
  readonly #open: { inside: Inside; next: number }[];

  constructor(root: unknown) {
    this.#open = [{ inside: [root], next: 0 }];
  }

  /** Searches until the slice ends (STOPPED), or to the end: then returns `at`, the position in the output. */
  find(at: number): number {
    const open = this.#open;
    for (let count = 0; open.length > 0; count += 1) {
      if (count === BATCH) {
        count = 0;
        if ((at = pass(at)) === STOPPED) return STOPPED;
      }
      const around = open.at(-1)!;
      if (around.next >= around.inside.length) {
        open.pop();
        continue;
      }
      const value = around.inside[around.next++];
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue;
      if (this.#seen.has(value)) {
        if (!this.#found.has(value)) this.#found.set(value, { id: this.#found.size + 1, isWritten: false });
        continue;
      }
      this.#seen.add(value);
      const inside = insideIfRead(value);
      if (inside.length > 0) open.push({ inside, next: 0 });
    }
    this.#seen.clear();
    return at;
  }

  /** The entry of an object; undefined if it occurs once. */
  get(value: object): SharedValue | undefined {
    return this.#found.get(value);
  }
}

const NOTHING: Inside = [];

/** Returns nothing if reading throws: the writer then reports the error with its path. */
function insideIfRead(value: object): Inside {
  try {
    return insideOf(value);
  } catch {
    return NOTHING;
  }
}

function insideOf(value: object): Inside {
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value) || typeof value === 'function') return NOTHING;
  switch (classOf(value)) {
    case 'Map':
      return [...(value as Map<unknown, unknown>)].flat(1);
    case 'Set':
      return [...(value as Set<unknown>)];
    case 'Error':
      return [(value as Error).cause];
    case 'Date':
    case 'RegExp':
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return NOTHING;
    default:
      return Object.values(value);
  }
}
