import { build } from '../../../scripts/build.mjs';

/** What the end-to-end tests run is what is published: built anew where a source has changed. */
export default async function setup(): Promise<void> {
  await build({ onlyStale: true });
}
