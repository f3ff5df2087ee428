import { OFF } from '../../core/engine/switches.ts';
import { COLLECT_FROM_MS, NODE_BUILT_BYTES } from '../slicing/tuning.ts';
import type * as browser from './platform.ts';

/** Modules of Node that are used here. */
interface Builtins {
  'node:fs': { existsSync(path: URL): boolean };
  'node:os': { availableParallelism(): number };
  'node:v8': { getHeapSpaceStatistics(): { space_name: string; space_used_size: number }[]; setFlagsFromString(flags: string): void };
  'node:vm': { runInNewContext(code: string): unknown };
  'node:timers': { readonly setImmediate: (callback: () => void) => unknown };
  'node:worker_threads': { readonly Worker: new (url: URL, options: { name: string; execArgv: string[] }) => Thread };
}

/** A thread of `node:worker_threads`. */
export interface Thread {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  terminate(): unknown;
  ref(): void;
  unref(): void;
  on(event: 'message', listener: (data: unknown) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'messageerror' | 'exit', listener: () => void): void;
}

/** A module of Node. Not imported, since bundlers for pages read this file too. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const { process } = globalThis as unknown as { process: { getBuiltinModule(id: Name): Builtins[Name] } };
  return process.getBuiltinModule(name);
}

/** Yields to the event loop: its timers, its sockets and files. A message would cost more. */
export const nextTask: typeof browser.nextTask = () => new Promise((resolve) => void builtin('node:timers').setImmediate(resolve));

/** Lets the process end although a timer runs. */
export const unref: typeof browser.unref = (timer) => (timer as { unref(): void } | undefined)?.unref();

/** Bytes of V8's young generation after the last collection. */
let kept = 0;
let collect: (() => void) | undefined;

/**
 * Makes V8 collect its young generation after each few megabytes of new objects. V8 would wait for 16 MB and copy them in one
 * pause, since decoded objects survive.
 */
export const paceMinorGc: typeof browser.paceMinorGc = (spentMs) => {
  if (OFF.minorGc || spentMs < COLLECT_FROM_MS) return;
  const used = newSpaceBytes();
  if (used < kept) kept = 0;
  if (used - kept < NODE_BUILT_BYTES) return;
  collect ??= minorCollector();
  collect();
  kept = newSpaceBytes();
};

function newSpaceBytes(): number {
  const spaces = builtin('node:v8').getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === 'new_space')?.space_used_size ?? 0;
}

/** V8's `gc`, which contexts have that begin while the flag is set. */
function minorCollector(): () => void {
  const v8 = builtin('node:v8');
  v8.setFlagsFromString('--expose-gc');
  const gc = builtin('node:vm').runInNewContext('gc') as (options: { type: 'minor' }) => void;
  if (!('gc' in globalThis)) v8.setFlagsFromString('--no-expose-gc');
  return () => gc({ type: 'minor' });
}
