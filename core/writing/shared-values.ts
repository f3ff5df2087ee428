import { pass, STOPPED } from '../bytes/output.ts';
import { classOf } from './class-of.ts';

/** Values between two looks at the clock. */
const BATCH = 2_000;

/** An object that is in several places, or inside itself. */
export interface SharedValue {
  /** From 1, in the order in which objects are met for the second time; or what the format makes of it. */
  id: number;
  /** Its place in the output has been written: others refer to it. */
  isWritten: boolean;
}

/** What is inside an object, in the order in which it is written. */
type Inside = readonly unknown[];

/**
 * Finds the objects that are in a value more than once, before it is written: a reference may need what it refers to
 * marked, which by then may have been given out.
 */
export class SharedValues {
  readonly #found = new Map<object, SharedValue>();
  readonly #seen = new Set<object>();
  readonly #open: { inside: Inside; next: number }[];

  constructor(root: unknown) {
    this.#open = [{ inside: [root], next: 0 }];
  }

  /** Looks until the turn ends (STOPPED), or to the end: then it returns `at`, the position in the output. */
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

  /** What is known of an object; undefined where it is there once. */
  get(value: object): SharedValue | undefined {
    return this.#found.get(value);
  }
}

const NOTHING: Inside = [];

/** Nothing where reading it throws: the writer finds that again, and says where. */
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
