const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The bytes of a message of a WebSocket. */
const fromSocket = (data: unknown): Uint8Array => new Uint8Array(data as ArrayBuffer);

/**
 * Returns a function that reads the key of a message: the part of its value at `path`, or its JSON if that is an object. `read`
 * decodes a message; undefined for JSON. A message that is not a valid value has a key of its own, so that its error is reported.
 * `bytesOf` returns the bytes of a message that is no text. Default: it is an ArrayBuffer.
 */
export function keyReader(path: readonly string[], read?: (bytes: Uint8Array) => unknown, bytesOf = fromSocket): (data: unknown) => unknown {
  return (data) => {
    try {
      const text = typeof data === 'string' ? data : undefined;
      let value: unknown = read ? read(text === undefined ? bytesOf(data) : encoder.encode(text)) : JSON.parse(text ?? decoder.decode(bytesOf(data)));
      for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    } catch {
      return Symbol();
    }
  };
}
