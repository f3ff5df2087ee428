// Node's Buffer makes a string of 25 to 256 bytes in a half to an eighth of the time that `String.fromCharCode` takes with as
// many arguments. Switch: `nodeText`. Benchmark: --node.

import { OFF } from './switches.ts';

/** Methods of Node's Buffer, which take any Uint8Array. */
interface NodeText {
  /** String of the bytes, one character each. */
  latin1Slice(this: Uint8Array, from: number, end: number): string;
  /** String of well-formed UTF-8. Keeps a byte order mark. */
  utf8Slice(this: Uint8Array, from: number, end: number): string;
}

const { Buffer } = globalThis as { Buffer?: { prototype: Partial<NodeText> } };

/** Undefined in browsers, also with a polyfill, whose methods are slower. */
export const nodeText = !OFF.nodeText && Buffer?.prototype.latin1Slice ? (Buffer.prototype as NodeText) : undefined;
