/** Bytes around a position, as a hex dump shows them. */
export interface HexLine {
  /** The offset of the first byte. */
  offset: number;
  bytes: { hex: string; text: string; isMarked: boolean }[];
}

export const HEX_COLUMNS = 16;

/** The part of a payload that shows `offset` with a line before and after it. */
export function hexWindow(offset: number, size: number): { start: number; end: number } {
  const line = Math.floor(Math.min(offset, Math.max(0, size - 1)) / HEX_COLUMNS) * HEX_COLUMNS;
  return { start: Math.max(0, line - HEX_COLUMNS), end: Math.min(size, line + 2 * HEX_COLUMNS) };
}

/** `bytes` start at `start` in the payload; the byte at `marked` is marked. */
export function hexLines(bytes: Uint8Array, start: number, marked: number): HexLine[] {
  const lines: HexLine[] = [];
  for (let at = 0; at < bytes.length; at += HEX_COLUMNS) {
    lines.push({
      offset: start + at,
      bytes: Array.from(bytes.subarray(at, at + HEX_COLUMNS), (byte, index) => ({
        hex: byte.toString(16).padStart(2, '0'),
        text: byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
        isMarked: start + at + index === marked,
      })),
    });
  }
  return lines;
}
