import { build } from '../../../scripts/build.mjs';

/** Builds the library alone where a source has changed: what the smoke test packs. */
export default async function setup(): Promise<void> {
  await build({ modes: ['lib'], onlyStale: true });
}
