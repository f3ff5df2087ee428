const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

const ESCAPE = /\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))|[^\\]+/g;

/** Bytes of a string literal with C escapes, as in `.proto` texts and in the defaults of descriptors. */
export function unescapeBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, hex, short, long, other] of text.matchAll(ESCAPE)) {
    const code = short ?? long;
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (code !== undefined) for (const byte of encoder.encode(textOf(Number.parseInt(code, 16)))) bytes.push(byte);
    else if (other !== undefined) bytes.push(ESCAPES[other] ?? other.charCodeAt(0));
    else for (const byte of encoder.encode(part)) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function textOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '�';
}
