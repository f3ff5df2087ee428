// `npm run fuzz [-- --format ID] [--count N] [--seed N]`: decodes mutated inputs of each format, a million by default, writes and
// reads again what a quarter as many decode to, compiles a twentieth as many mutated schemas, and reports what is neither a value
// nor a typed error, or takes long or much memory. `--seed random` takes another seed each time, and prints it. `--processes N`
// shares the same inputs among several processes, `--minutes N` ends early, and `--summary FILE` writes the totals and findings.
import { runBundled } from '../setup/build/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url));
