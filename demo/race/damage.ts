import type { Damage } from '../payloads/catalogue.ts';

const ERROR_PAGE = `<!doctype html>
<html lang="en">
<head><title>502 Bad Gateway</title></head>
<body><h1>Bad Gateway</h1><p>The server behind this gateway did not answer.</p></body>
</html>
`;

/** A byte that is invalid in both MessagePack and UTF-8. */
const WRONG_BYTE = 0xc1;
const SEARCH_BYTES = 65_536;

/** Returns a damaged copy of a payload. */
export async function spoil(payload: Blob, damage: Damage): Promise<Blob> {
  if (damage === 'none') return payload;
  if (damage === 'cut') return payload.slice(0, Math.floor(payload.size * 0.6));
  if (damage === 'page') return new Blob([ERROR_PAGE], { type: 'text/html' });
  const start = Math.floor(payload.size * 0.6);
  const window = new Uint8Array(await payload.slice(start, start + SEARCH_BYTES).arrayBuffer());
  const at = start + insideText(window);
  return new Blob([payload.slice(0, at), new Uint8Array([WRONG_BYTE]), payload.slice(at + 1)]);
}

/** The position of a letter among letters, which is inside a string in every encoding. */
export function insideText(bytes: Uint8Array): number {
  let letters = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isLetter = (bytes[at]! | 0x20) >= 0x61 && (bytes[at]! | 0x20) <= 0x7a;
    letters = isLetter ? letters + 1 : 0;
    if (letters === 6) return at - 2;
  }
  return 0;
}
