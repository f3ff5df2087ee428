// Node's `Buffer.compare` compares long runs of bytes in less than half of the time that a loop over views takes. Switch:
// `nodeCompare`. Benchmark: --refetch.

import { OFF } from './switches.ts';

type Compare = (a: Uint8Array, b: Uint8Array) => number;

const { Buffer } = globalThis as { Buffer?: { compare: Compare; prototype: { latin1Slice?: unknown } } };

/** Returns 0 for the same bytes. Undefined in browsers, also with a polyfill, which copies the bytes. */
export const nodeCompare: Compare | undefined = !OFF.nodeCompare && Buffer?.prototype.latin1Slice ? Buffer.compare : undefined;
