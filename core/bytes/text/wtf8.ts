const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes WTF-8. Text with lone surrogates is decoded by hand. */
export function decodeWtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const pieces: string[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== 0xed || bytes[at + 1]! < 0xa0) continue;
      pieces.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(0xd000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f)));
      from = at + 3;
    }
    pieces.push(decoder.decode(bytes.subarray(from)));
    return pieces.join('');
  }
}
