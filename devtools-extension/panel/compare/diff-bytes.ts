/** A range of bytes in one body that replaces a range in the other. */
export interface ByteRun {
  /** Offsets and lengths in the two bodies. One of the lengths may be 0. */
  before: number;
  beforeLength: number;
  after: number;
  afterLength: number;
}

export interface ByteDifference {
  before: number;
  after: number;
  runs: ByteRun[];
  /** Bytes inside runs, in each body. */
  beforeDiffering: number;
  afterDiffering: number;
}

/** Maximum number of runs; the rest of the bodies is the last one. */
const MAX_RUNS = 1_000;
/** Distance to search for the next agreement, and the number of equal bytes it requires. */
const REACH = 256;
const AGREEING = 6;

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Compares two bodies byte by byte. Inserted bytes do not mark everything after them as different. */
export function* diffBytes(a: Uint8Array, b: Uint8Array): Generator<undefined, ByteDifference> {
  const shorter = Math.min(a.length, b.length);
  let tail = 0;
  while (tail < shorter && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
    tail += 1;
    if ((tail & 0xffff) === 0) yield;
  }
  const runs: ByteRun[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1;
      j += 1;
      if ((i & 0xffff) === 0) yield;
      continue;
    }
    yield;
    // The equal tail begins no earlier than the current positions.
    const end = Math.min(tail, a.length - i, b.length - j);
    const rest = { before: i, beforeLength: a.length - end - i, after: j, afterLength: b.length - end - j };
    const run = runs.length < MAX_RUNS - 1 ? (nextAgreement(a, i, b, j) ?? rest) : rest;
    runs.push(run);
    i = run.before + run.beforeLength;
    j = run.after + run.afterLength;
  }
  return {
    before: a.length,
    after: b.length,
    runs,
    beforeDiffering: runs.reduce((sum, { beforeLength }) => sum + beforeLength, 0),
    afterDiffering: runs.reduce((sum, { afterLength }) => sum + afterLength, 0),
  };
}

/** Shortest run from `i` and `j` after which the bodies agree again. */
function nextAgreement(a: Uint8Array, i: number, b: Uint8Array, j: number): ByteRun | undefined {
  for (let most = 1; most <= REACH; most += 1) {
    // Tries replacements of equal length first: they are likelier than insertions and removals.
    for (let less = most; less >= 0; less -= 1) {
      if (agree(a, i + most, b, j + less)) return { before: i, beforeLength: most, after: j, afterLength: less };
      if (less < most && agree(a, i + less, b, j + most)) return { before: i, beforeLength: less, after: j, afterLength: most };
    }
  }
  return undefined;
}

function agree(a: Uint8Array, i: number, b: Uint8Array, j: number): boolean {
  if (i > a.length || j > b.length) return false;
  if (i === a.length || j === b.length) return a.length - i === b.length - j;
  for (let at = 0; at < AGREEING; at += 1) {
    if (i + at >= a.length || j + at >= b.length) return a.length - i === b.length - j;
    if (a[i + at] !== b[j + at]) return false;
  }
  return true;
}
