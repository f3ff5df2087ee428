// When V8 collects garbage and a class has no instance, it drops the class's optimised code and type feedback, and the
// next payload runs in the interpreter: MessagePack of 9 KB took 2.9 ms instead of 0.4. One idle instance of each class that decodes or encodes keeps them.
// Benchmark: --engine-switches, `keepAlive`.

import { OFF } from './switches.ts';

const instances = new Map<unknown, unknown>();

/**
 * Keeps one instance for each kind of work, such as a format or a writer's class. Called after the work is done. `make`
 * creates an instance of the same classes.
 */
export function keepAlive(kind: unknown, make: () => unknown): void {
  if (OFF.keepAlive || instances.has(kind)) return;
  instances.set(kind, make());
}
