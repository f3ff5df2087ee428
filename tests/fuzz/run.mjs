// `npm run fuzz [-- --format ID] [--count N] [--seed N]`: decodes mutated inputs of each format, a million by default, compiles
// a twentieth as many mutated schemas, and reports what is neither a value nor a typed error, or takes long or much memory.
import { runBundled } from '../setup/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url));
