const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Returns a function that reads the key of a message: the part of its value at `path`, or its JSON if that is an object. `read`
 * decodes a message; left out for JSON. A message that is not a valid value has a key of its own, so that its error is reported.
 */
export function keyReader(path: readonly string[], read?: (bytes: Uint8Array) => unknown): (data: unknown) => unknown {
  return (data) => {
    try {
      let value: unknown = read ? read(bytesOf(data)) : JSON.parse(typeof data === 'string' ? data : decoder.decode(data as ArrayBuffer));
      for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    } catch {
      return Symbol();
    }
  };
}

function bytesOf(data: unknown): Uint8Array {
  if (typeof data === 'string') return encoder.encode(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data as ArrayBuffer);
}
