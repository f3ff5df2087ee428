import { pass, STOPPED } from '../bytes/output.ts';
import { classOf } from '../values/class-of.ts';

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
type Contents = readonly unknown[];

/**
 * Finds the objects that occur more than once in a value, before it is written: a referenced object may need a mark,
 * which cannot be added after its bytes have been emitted.
 */
export class SharedValues {
  readonly #found = new Map<object, SharedValue>();
  readonly #seen = new Set<object>();
  readonly #open: { contents: Contents; next: number }[];

  constructor(root: unknown) {
    this.#open = [{ contents: [root], next: 0 }];
  }

  /** Searches until the slice ends (STOPPED), or to the end: then returns `at`, the position in the output. */
  find(at: number): number {
    const open = this.#open;
    for (let count = 0; open.length > 0; count += 1) {
      if (count === BATCH) {
        count = 0;
        if ((at = pass(at)) === STOPPED) return STOPPED;
      }
      const innermost = open.at(-1)!;
      if (innermost.next >= innermost.contents.length) {
        open.pop();
        continue;
      }
      const value = innermost.contents[innermost.next++];
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue;
      if (this.#seen.has(value)) {
        if (!this.#found.has(value)) this.#found.set(value, { id: this.#found.size + 1, isWritten: false });
        continue;
      }
      this.#seen.add(value);
      const contents = readContents(value);
      if (contents.length > 0) open.push({ contents, next: 0 });
    }
    this.#seen.clear();
    return at;
  }

  /** The entry of an object; undefined if it occurs once. */
  get(value: object): SharedValue | undefined {
    return this.#found.get(value);
  }
}

const NOTHING: Contents = [];

/** Returns nothing if reading throws: the writer then reports the error with its path. */
function readContents(value: object): Contents {
  try {
    return contentsOf(value);
  } catch {
    return NOTHING;
  }
}

function contentsOf(value: object): Contents {
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
