import { Session } from 'node:inspector';
import { join, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * Counted work of a run, which does not depend on the load of the machine: executed characters of the library's code (V8's
 * block coverage), elements and bytes processed by built-in functions, bytes allocated on the heap, and bytes of buffers.
 */
interface Work {
  steps: number;
  moved: number;
  heap: number;
  buffers: number;
}

/** Growth below these values is hidden by the fixed cost of a run and by heap sampling. */
const FLOOR: Readonly<Work> = { steps: 300_000, moved: 200_000, heap: 500_000, buffers: 2_000_000 };
/** Work may at most triple per doubling of the input. Measured over three doublings, since tables grow in steps. */
const DOUBLINGS = 3;
const MAX_COUNT = 3 ** DOUBLINGS;
/** Ratio of the two inputs. */
const FACTOR = 2 ** DOUBLINGS;

const ROOT = join(import.meta.dirname, '../../..');
const COUNTED = ['core', 'worker', 'main', 'devtools-extension'].map((folder) => join(ROOT, folder) + sep);

// Only code compiled from here on has counters, so this module must be imported first.
setFlagsFromString('--sampling-heap-profiler-suppress-randomness');
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}
interface Node {
  selfSize: number;
  children: Node[];
}

function post<Result>(method: string, parameters?: object): Result {
  let answer: unknown;
  let failure: Error | null = null;
  session.post(method, parameters, (error, result) => {
    failure = error;
    answer = result;
  });
  if (failure) throw failure as Error;
  return answer as Result;
}

/** Counts the work of a run, and the steps since the last call of `takeSteps`. */
async function workOf(run: () => unknown): Promise<Work> {
  const counters = { moved: 0, buffers: 0 };
  post('HeapProfiler.startSampling', { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
  const restore = countBuiltIns(counters);
  try {
    await run();
  } finally {
    restore();
  }
  const { profile } = post<{ profile: { head: Node } }>('HeapProfiler.stopSampling');
  return { steps: takeSteps(), ...counters, heap: sizeOf(profile.head) };
}

/**
 * The measures in which `make(8n)` does more than 27 times the work of `make(n)`. `make` prepares an input and returns the
 * function whose work is counted.
 */
export async function excessOf(make: (size: number) => (() => unknown) | Promise<() => unknown>, size: number): Promise<string[]> {
  const [first, little, much] = [await make(Math.max(1, Math.ceil(size / 4))), await make(size), await make(FACTOR * size)];
  // Loads code. Its steps are not counted.
  await first();
  takeSteps();
  const [least, most] = [await workOf(little), await workOf(much)];
  return (Object.keys(FLOOR) as (keyof Work)[])
    .filter((name) => most[name] > MAX_COUNT * least[name] + FLOOR[name])
    .map((name) => `${name}: ${least[name]} of ${size}, ${most[name]} of ${FACTOR * size}`);
}

/** Bytes that a run allocates, on the heap and in buffers, whether or not they are kept. */
export async function madeBy(run: () => unknown): Promise<number> {
  const { heap, buffers } = await workOf(run);
  return heap + buffers;
}

/** Steps of a run: executed characters of the library's code. */
export async function stepsOf(run: () => unknown): Promise<number> {
  takeSteps();
  await run();
  return takeSteps();
}

/** Characters executed since the last call. */
function takeSteps(): number {
  const { result } = post<{ result: { url: string; functions: { ranges: Range[] }[] }[] }>('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    const path = url.replace('file://', '');
    if (!COUNTED.some((folder) => path.startsWith(folder))) continue;
    for (const { ranges } of functions) steps += executed(ranges);
  }
  return steps;
}

/** Sums nested ranges, outer first: a character counts as often as its innermost range. */
function executed(ranges: readonly Range[]): number {
  const open: Range[] = [];
  let sum = 0;
  for (const range of ranges) {
    while (open.length > 0 && open.at(-1)!.endOffset <= range.startOffset) open.pop();
    sum += (range.endOffset - range.startOffset) * (range.count - (open.at(-1)?.count ?? 0));
    open.push(range);
  }
  return sum;
}

function sizeOf(head: Node): number {
  let size = 0;
  const nodes = [head];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    size += node.selfSize;
    for (const child of node.children) nodes.push(child);
  }
  return size;
}

type Sized = { sticky?: boolean; length?: number; size?: number; byteLength?: number };
/** `before`: length of the object before the call. */
type Cost = (self: Sized, given: readonly unknown[], result: unknown, before: number) => number;

const lengthOf = (value: unknown): number => {
  const sized = value as Sized | null | undefined;
  return sized?.length ?? sized?.size ?? sized?.byteLength ?? 0;
};
const ofSelf: Cost = (self) => lengthOf(self);
const ofResult: Cost = (_, __, result) => lengthOf(result);
const ofGiven: Cost = (_, [first]) => lengthOf(first);
const ofBoth: Cost = (_, __, result, before) => Math.max(before, lengthOf(result));
/** A search ends at its result. */
const ofSearch: Cost = (self, [, from], result) => {
  const start = typeof from === 'number' ? from : 0;
  return Math.max(0, (typeof result === 'number' && result >= 0 ? result + 1 : lengthOf(self)) - start);
};
/** A search from the end, or from `from` backwards, ends at its result. */
const ofSearchBack: Cost = (self, [, from], result) => {
  const last = lengthOf(self) - 1;
  const start = typeof from === 'number' ? Math.min(last, from < 0 ? from + last + 1 : from) : last;
  return Math.max(0, start + 1 - (typeof result === 'number' && result >= 0 ? result : 0));
};
/** A sticky expression tries one position, others search the text. Work at one position is not counted. */
const ofMatch: Cost = (self, [text], result) => {
  const match = result as RegExpExecArray | null;
  if (match === null) return self.sticky ? 1 : lengthOf(text);
  return match[0].length;
};

/** Later items move unless as many items are inserted as removed. */
const ofSplice: Cost = (_, [start, __, ...items], result, before) =>
  lengthOf(result) + (items.length === lengthOf(result) ? 0 : Math.max(0, before - Number(start) - lengthOf(result)));

const ofFill: Cost = (_, [, start, end], __, before) => (Number(end ?? before) || 0) - (Number(start) || 0);

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
/** Built-in functions with their costs. */
const BUILT_INS: readonly (readonly [target: object, cost: Cost, names: readonly string[]])[] = [
  [typedArray, ofGiven, ['set']],
  [typedArray, ofResult, ['slice', 'map', 'filter']],
  [ArrayBuffer.prototype, ofResult, ['slice']],
  [typedArray, ofFill, ['copyWithin', 'fill']],
  [typedArray, ofSelf, ['sort', 'reverse', 'join']],
  [typedArray, ofSearch, ['indexOf', 'includes']],
  [typedArray, ofSearchBack, ['lastIndexOf']],
  [Array.prototype, ofBoth, ['concat', 'shift', 'unshift', 'flat', 'map', 'filter', 'sort', 'reverse', 'join']],
  [Array.prototype, ofFill, ['fill', 'copyWithin']],
  [Array.prototype, ofSplice, ['splice']],
  [Array.prototype, ofResult, ['slice']],
  [Array.prototype, ofSearch, ['indexOf', 'includes']],
  [Array.prototype, ofSearchBack, ['lastIndexOf']],
  [Array.prototype, (_, given) => given.length, ['push']],
  [String.prototype, ofSearch, ['indexOf', 'includes']],
  [String.prototype, ofSearchBack, ['lastIndexOf']],
  [String.prototype, ofBoth, ['split', 'replaceAll', 'trim', 'normalize', 'toLowerCase', 'toUpperCase', 'repeat', 'padStart', 'padEnd']],
  [RegExp.prototype, ofMatch, ['exec']],
  [TextDecoder.prototype, ofGiven, ['decode']],
  [TextEncoder.prototype, ofGiven, ['encode', 'encodeInto']],
  [JSON, ofGiven, ['parse']],
  [JSON, ofResult, ['stringify']],
  [Object, ofResult, ['keys', 'values', 'entries', 'getOwnPropertyNames']],
  [Object, (_, [, ...sources]) => sources.reduce((sum: number, source) => sum + Object.keys(source ?? {}).length, 0), ['assign']],
  [Object, ofGiven, ['fromEntries']],
  [Array, ofResult, ['from', 'of']],
];
const BUFFERS = [
  ['ArrayBuffer', 'SharedArrayBuffer', 'DataView'],
  ['Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array'],
  ['Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Map', 'Set'],
].flat();

/** Counts calls of built-in functions until the returned function is called. */
function countBuiltIns(counters: { moved: number; buffers: number }): () => void {
  const restores: (() => void)[] = [];
  const replace = (target: object, name: string, make: (known: never) => unknown): void => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    if (descriptor === undefined) return;
    Object.defineProperty(target, name, { ...descriptor, value: make(descriptor.value as never) });
    restores.push(() => Object.defineProperty(target, name, descriptor));
  };
  for (const name of BUFFERS) {
    replace(globalThis, name, (known: new (...given: unknown[]) => Sized) => {
      const counted = new Proxy(known, {
        construct(target, given, newTarget) {
          const made = Reflect.construct(target, given, newTarget === counted ? target : newTarget) as Sized;
          // A view of a buffer allocates nothing.
          if (!(given[0] instanceof ArrayBufferKnown)) counters.buffers += made.byteLength ?? 8 * lengthOf(made);
          return made;
        },
      });
      return counted;
    });
  }
  for (const [target, cost, names] of BUILT_INS) {
    for (const name of names) {
      replace(target, name, (known: (...given: unknown[]) => unknown) => {
        return function counted(this: Sized, ...given: unknown[]): unknown {
          const before = lengthOf(this);
          const result = Reflect.apply(known, this, given);
          const amount = cost(this, given, result, before);
          counters.moved += amount;
          if ((ArrayBuffer.isView(result) || result instanceof ArrayBufferKnown) && result !== this) counters.buffers += result.byteLength;
          return result;
        };
      });
    }
  }
  return () => {
    for (const restore of restores.reverse()) restore();
  };
}

const ArrayBufferKnown = ArrayBuffer;
