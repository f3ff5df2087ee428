import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';

/** Builds what has changed before the end-to-end tests; for the smoke test only the library. */
export default async function setup({ name }: TestProject): Promise<void> {
  await build({ ...(name === 'smoke' && { modes: ['lib'] }), onlyStale: true });
}
