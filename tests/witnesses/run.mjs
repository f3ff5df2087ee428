// `npm run test:witnesses [-- --only ID] [--count N] [--seed N] [--python PATH] [--keep]`: has libraries in other languages
// write values, decodes those, and compares. Names what is lacking. `--keep` writes the fixtures that the tests read.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../setup/build/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url), async (/** @type {typeof import('./run.ts')} */ { run }) => {
  process.exitCode = await run(fileURLToPath(new URL('../..', import.meta.url)));
});
