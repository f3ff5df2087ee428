import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

const MAX = 10_000;

/** Parses hexadecimal bytes: `0xcafe`, `ca fe`, `ca,fe`. Undefined if invalid. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/, '').replaceAll(/[\s,]/g, '');
  if (digits.length < 2 || digits.length % 2 === 1 || /[^\da-f]/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

/**
 * Encodings of a number to search for: integers of 16, 32 and 64 bits that can hold it, signed or unsigned, and floats of
 * 32 and 64 bits, in either byte order. Single bytes are omitted, because they would match everywhere. Accepts JavaScript
 * notation such as `-5`, `1e3`, `0xcafe`; empty if invalid.
 */
export function bytesOfNumber(text: string): Uint8Array[] {
  const value = text === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) return [];
  const view = new DataView(new ArrayBuffer(8));
  const forms = new Map<string, Uint8Array>();
  const add = (size: number, set: (isLittle: boolean) => void): void => {
    for (const isLittle of [true, false]) {
      set(isLittle);
      const bytes = new Uint8Array(view.buffer.slice(0, size));
      forms.set(bytes.join(), bytes);
    }
  };
  if (Number.isInteger(value)) {
    // BigInt keeps the digits that a double cannot hold.
    const integer = /^[-+]?\d+$|^0[xob]/i.test(text) ? BigInt(text.replace(/^\+/, '')) : BigInt(value);
    const holds = (bits: number): boolean => integer >= -(2n ** BigInt(bits - 1)) && integer < 2n ** BigInt(bits);
    if (holds(16)) add(2, (isLittle) => view.setInt16(0, Number(integer), isLittle));
    if (holds(32)) add(4, (isLittle) => view.setInt32(0, Number(integer), isLittle));
    if (holds(64)) add(8, (isLittle) => view.setBigInt64(0, integer, isLittle));
  }
  if (Number.isFinite(Math.fround(value))) add(4, (isLittle) => view.setFloat32(0, value, isLittle));
  add(8, (isLittle) => view.setFloat64(0, value, isLittle));
  return [...forms.values()];
}

/** Entries that contain the start of any of the byte sequences, in ascending order. */
export function* searchBytes(bytes: Uint8Array, tree: SpanTree, needles: readonly Uint8Array[]): Generator<undefined, number[]> {
  const found = new Set<number>();
  for (const needle of needles) {
    for (let at = bytes.indexOf(needle[0]!); at >= 0 && found.size < MAX; at = bytes.indexOf(needle[0]!, at + 1)) {
      yield;
      let i = 1;
      while (i < needle.length && bytes[at + i] === needle[i]) i += 1;
      if (i < needle.length) continue;
      const node = tree.nodeAt(at);
      if (node > 0) found.add(node);
    }
  }
  return [...found].sort((a, b) => a - b);
}
