/** Bytes that are made into text at most. */
const MOST_BYTES = 8_000_000;
/** A longer line goes on in the next row. */
const LONGEST_LINE = 2_000;

/** Bytes as lines of text: UTF-8, or one character a byte where they are no UTF-8. */
export function* textLines(bytes: Uint8Array): Generator<undefined, string[]> {
  const part = bytes.subarray(0, MOST_BYTES);
  const lines: string[] = [];
  for (const line of decode(part).split(/\r?\n|\r/)) {
    if ((lines.length & 0x3ff) === 0) yield;
    for (let at = 0; at === 0 || at < line.length; at += LONGEST_LINE) lines.push(line.slice(at, at + LONGEST_LINE));
  }
  if (bytes.length > part.length) lines.push('…');
  return lines;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
