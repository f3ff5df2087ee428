import type * as browser from './platform.ts';

/** Modules of Node that are used here. */
interface Builtins {
  'node:fs': { existsSync(path: URL): boolean };
  'node:os': { availableParallelism(): number };
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

/** Undefined: a thread says itself when it ends, and Deno's process would not end while it waits for a lock. */
export const lockName: typeof browser.lockName = () => undefined;

/** Lets the process end although a timer runs. Timers of jsdom, which Jest may set up, are numbers. */
export const unref: typeof browser.unref = (timer) => (timer as { unref?(): void } | undefined)?.unref?.();
