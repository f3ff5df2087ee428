// `npm run test:witnesses [-- --only ID] [--count N] [--seed N] [--python PATH] [--keep]`: compares with libraries in other
// languages, which write and read values. Lists missing tools. `--keep` updates the fixtures of the tests.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../setup/build/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url), async (/** @type {typeof import('./run.ts')} */ { run }) => {
  process.exitCode = await run(fileURLToPath(new URL('../..', import.meta.url)));
});
