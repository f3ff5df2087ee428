/** A part of a body that looks compressed or encrypted. */
export interface DensePart {
  from: number;
  end: number;
  /** Bits a byte. */
  bits: number;
}

/** The Shannon entropy of a body, in bits a byte: 0 where all bytes are the same, 8 where every byte is as frequent as any other. */
export interface EntropyReport {
  /** Of all bytes together. */
  whole: number;
  /** Bytes of a block; the last one may be shorter. */
  blockSize: number;
  /** Of each block. */
  blocks: Float32Array;
  /** How often each byte value comes. */
  values: Float64Array;
  /** Runs of blocks that look compressed or encrypted, in their order. */
  dense: DensePart[];
}

const MOST_BLOCKS = 200;
/** Fewer bytes tell too little. */
const LEAST_BLOCK = 512;
/** Bits a byte by which compressed bytes may stay behind random ones: base64 and code do by more. A run goes on with more than it begins with. */
const SLACK = 0.25;
const SLACK_WITHIN = 0.6;

/** The entropy of a body, block by block. */
export function* entropyOf(bytes: Uint8Array): Generator<undefined, EntropyReport> {
  const blockSize = Math.max(LEAST_BLOCK, Math.ceil(bytes.length / MOST_BLOCKS));
  const blocks = new Float32Array(Math.ceil(bytes.length / blockSize));
  const all = new Float64Array(256);
  const dense: DensePart[] = [];
  let run: { from: number; counts: Float64Array } | undefined;
  const endRun = (end: number): void => {
    if (run) dense.push({ from: run.from, end, bits: entropy(run.counts, end - run.from) });
    run = undefined;
  };
  for (let index = 0; index < blocks.length; index += 1) {
    yield;
    const from = index * blockSize;
    const end = Math.min(bytes.length, from + blockSize);
    const counts = new Float64Array(256);
    for (let at = from; at < end; at += 1) counts[bytes[at]!]! += 1;
    const bits = entropy(counts, end - from);
    blocks[index] = bits;
    addTo(all, counts);
    // A short end alone says too little.
    const isDense = bits >= ofRandom(end - from) - (run ? SLACK_WITHIN : SLACK) && (run !== undefined || end - from === blockSize);
    if (!isDense) endRun(from);
    else addTo((run ??= { from, counts: new Float64Array(256) }).counts, counts);
  }
  endRun(bytes.length);
  return { whole: entropy(all, bytes.length), blockSize, blocks, values: all, dense };
}

function addTo(sum: Float64Array, counts: Float64Array): void {
  for (let value = 0; value < 256; value += 1) sum[value]! += counts[value]!;
}

/** −Σ p log₂ p, of bytes by how often each comes. */
function entropy(counts: Float64Array, length: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum += count * Math.log2(count);
  return length > 0 ? Math.max(0, Math.log2(length) - sum / length) : 0;
}

/** What so many random bytes have on average: a few bytes cannot have all values (Miller and Madow's correction). */
function ofRandom(length: number): number {
  return Math.min(Math.log2(length), 8 - 255 / (2 * length * Math.LN2));
}
