// `node tests/bench/kernels/run.mjs [--rows N] [--rounds N] [--only TEXT]`: what row kernels cost and gain, in CPU time of Node
// for decoding into columns: minima over rounds in which each case is decoded without and with kernels in turn.
import { runBundled } from '../../setup/bundled.mjs';

await runBundled(new URL('run.ts', import.meta.url));
