import type { AvroOptions } from './options.ts';
import { type ContainerHeader, readBlockHead, readHeader, startsAsContainer, SYNC_BYTES } from './container.ts';

/** How far to look for the end of a block. */
const WINDOW = 16 * 1024 * 1024;

/** Where a container's header ends, without which no block can be read. */
export function head(bytes: Uint8Array, options: AvroOptions): number {
  return headerOf(bytes, options)?.end ?? 0;
}

/** Where a block of a container begins, behind the sync marker of the one before: see `Cutting`. */
export function find(bytes: Uint8Array, near: number, options: AvroOptions): number {
  const header = headerOf(bytes, options);
  if (!header) return -1;
  const { sync } = header;
  const to = Math.min(bytes.length, near + WINDOW);
  for (let at = Math.max(near, header.end); ; at += 1) {
    at = bytes.indexOf(sync[0]!, at);
    if (at < 0 || at + SYNC_BYTES >= to) return -1;
    if (matches(bytes, at, sync) && isBlock(bytes, at + SYNC_BYTES, sync)) return at + SYNC_BYTES;
  }
}

function headerOf(bytes: Uint8Array, { framing = 'container' }: AvroOptions): ContainerHeader | undefined {
  if (framing !== 'container' || !startsAsContainer(bytes, 0, bytes.length)) return undefined;
  try {
    const header = readHeader(bytes, 0, bytes.length, 0, bytes.length);
    return 'needed' in header ? undefined : header;
  } catch {
    // The reader will say what is wrong.
    return undefined;
  }
}

/** Whether a block at `at` ends with the sync marker. */
function isBlock(bytes: Uint8Array, at: number, sync: Uint8Array): boolean {
  try {
    const block = readBlockHead(bytes, at, bytes.length, 0);
    return block !== undefined && matches(bytes, block.from + block.bytes, sync);
  } catch {
    return false;
  }
}

function matches(bytes: Uint8Array, at: number, sync: Uint8Array): boolean {
  return sync.every((byte, index) => bytes[at + index] === byte);
}
