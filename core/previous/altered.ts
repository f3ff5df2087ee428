import { alteredPath } from './altered-path.ts';
import { recall } from './remember.ts';
import type { RowsForm } from './rows-form.ts';

/**
 * Throws a TypeError that names the first place where a value differs from what its remembered bytes are decoded to: the
 * application has changed it. `expected` may be modified.
 */
export function assertUnaltered(value: unknown, expected: unknown, form?: RowsForm): void {
  const path = alteredPath(value, expected, form);
  if (!path) return;
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  throw new TypeError(
    `invalid option previous: the application has changed the value${place && ` at ${place}`}, which stays so until its bytes change; change a copy`,
  );
}

/** True if there are bytes that `assertUnaltered` can compare a value with. */
export function isComparable(value: unknown): boolean {
  const setting = recall(value)?.setting;
  // A reviver makes other objects with each call.
  return setting !== undefined && !setting.revive && setting.as !== 'columns';
}
