// `node bench/kernels/run.mjs [--rows N] [--rounds N] [--only TEXT]`: what row kernels cost and gain, in CPU time of Node
// for decoding into columns: minima over rounds in which each case is decoded without and with kernels in turn.
import { build } from '../../scripts/build.mjs';
import { runBundled } from '../../tests/setup/build/bundled.mjs';

// Its payloads are encoded with it.
await build({ modes: ['lib'], onlyStale: true });
await runBundled(new URL('run.ts', import.meta.url));
