// `npm run fuzz [-- --format ID] [--count N] [--seed N]`: decodes mutated inputs of each format, a million by default, makes round
// trips of a quarter of them, compiles a twentieth as many mutated schemas, and reports inputs without a value or typed error, or
// that take too much time or memory. `--seed random` chooses and prints a seed. `--processes N` shares the inputs among
// processes, `--minutes N` ends early, `--skip N` goes on after the first N inputs of each format, and `--summary FILE` writes the totals and findings. `--kind decoded` chooses targets by their
// names.
import { runBundled } from '../setup/build/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url));
