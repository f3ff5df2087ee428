import { expect } from 'vitest';
import type { Limits } from '../../../core/limits.ts';
import { type KernelCase, type KernelOutcome, sameWithKernels } from './kernel-outcomes.ts';

/** Options of a test that decodes rows. */
export type RowSetting<Options = object> = Pick<KernelCase, 'limits' | 'sizes' | 'schema'> & { options?: Options };

/** Decodes with and without kernels, which must read at least `least` rows. */
export async function decodeRows(given: KernelCase, least: number): Promise<KernelOutcome> {
  const { outcome, rows } = await sameWithKernels(given);
  expect(rows).toBeGreaterThanOrEqual(least);
  return outcome;
}

export function list<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

/** Rows for tests of limits, with two values each: the second is a string of up to 49 bytes. */
export const LIMITED_ROWS = list(200, (at) => ({ id: at, name: 'n'.repeat(at % 50) }));

/** Expects limits to reject `LIMITED_ROWS`, and larger limits to accept them. `depth`: depth of the rows. */
export async function expectLimits(decode: (least: number, limits: Partial<Limits>) => Promise<KernelOutcome>, depth: number): Promise<void> {
  for (const values of [300, 301, 302, 599]) expect(await decode(0, { values })).toHaveProperty('error');
  for (const stringLength of [3, 30, 48]) expect(await decode(0, { stringLength })).toHaveProperty('error');
  expect(await decode(0, { depth: depth - 1 })).toHaveProperty('error');
  expect(await decode(300, { values: 605, stringLength: 49, depth })).toHaveProperty('value');
}
