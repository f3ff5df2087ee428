const encoder = new TextEncoder();

/** Encodes a string as UTF-8, lone surrogates as the three bytes their code point would take (WTF-8). */
export function encodeWtf8(text: string): Uint8Array {
  const pieces = text.split(/([\uD800-\uDFFF])/u);
  if (pieces.length === 1) return encoder.encode(text);
  const encoded = pieces.map((piece, index) => (index % 2 === 0 ? encoder.encode(piece) : surrogate(piece)));
  const bytes = new Uint8Array(encoded.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of encoded) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function surrogate(unit: string): Uint8Array {
  const code = unit.charCodeAt(0);
  return Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
}
