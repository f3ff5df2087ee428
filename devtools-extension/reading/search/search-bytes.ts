import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

const MAX = 10_000;

/** Parses hexadecimal bytes: `0xcafe`, `ca fe`, `ca,fe`. Undefined if invalid. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/, '').replaceAll(/[\s,]/g, '');
  if (digits.length < 2 || digits.length % 2 === 1 || /[^\da-f]/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

/** Entries that contain the start of a byte sequence, in ascending order. */
export function* searchBytes(bytes: Uint8Array, tree: SpanTree, needle: Uint8Array): Generator<undefined, number[]> {
  const found = new Set<number>();
  for (let at = bytes.indexOf(needle[0]!); at >= 0 && found.size < MAX; at = bytes.indexOf(needle[0]!, at + 1)) {
    yield;
    let i = 1;
    while (i < needle.length && bytes[at + i] === needle[i]) i += 1;
    if (i < needle.length) continue;
    const node = tree.nodeAt(at);
    if (node > 0) found.add(node);
  }
  return [...found].sort((a, b) => a - b);
}
