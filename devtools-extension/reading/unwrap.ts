import { gunzipSync, unzlibSync } from 'fflate';
import type { Wrapping } from './protocol.ts';

/** What unpacked bodies may take. */
const LARGEST = 256 * 1024 * 1024;

/** Takes off what a body is wrapped in, as often as it is. Leaves alone what cannot be taken off. */
export async function unwrap(body: Uint8Array, contentType: string): Promise<{ bytes: Uint8Array; wrappings: Wrapping[] }> {
  const wrappings: Wrapping[] = [];
  let bytes = body;
  while (wrappings.length < 4) {
    const found = await unwrapOnce(bytes, contentType);
    if (!found) break;
    bytes = found.bytes;
    wrappings.push(found.wrapping);
  }
  return { bytes, wrappings };
}

async function unwrapOnce(bytes: Uint8Array, contentType: string): Promise<{ bytes: Uint8Array; wrapping: Wrapping } | undefined> {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8) {
      const size = bytes.length >= 4 ? new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0, true) : 0;
      return size > LARGEST ? undefined : { bytes: gunzipSync(bytes), wrapping: 'gzip' };
    }
    if (bytes[0] === 0x78 && (0x7800 | bytes[1]!) % 31 === 0 && bytes.length > 6 && bytes[1] !== 0x20) {
      return { bytes: unzlibSync(bytes), wrapping: 'zlib' };
    }
    if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) {
      const { decompress } = await import('fzstd');
      return { bytes: decompress(bytes), wrapping: 'zstd' };
    }
  } catch {
    return undefined;
  }
  const messages = /^application\/grpc-web(?!-text)/i.test(contentType) ? grpcMessages(bytes) : undefined;
  return messages ? { bytes: messages, wrapping: 'gRPC-web frames' } : undefined;
}

/**
 * The messages of gRPC-web frames, each with its length as a varint before it, as Protocol Buffers delimit messages.
 *
 *     uint8 flags, uint32 length, message      flags: 1 compressed, 0x80 trailers
 */
function grpcMessages(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const flags = bytes[at]!;
    const end = at + 5 + view.getUint32(at + 1);
    if (end > bytes.length || (flags & 0x7e) !== 0) return undefined;
    if ((flags & 0x80) === 0) {
      const message = bytes.subarray(at + 5, end);
      const plain = (flags & 1) === 1 ? gunzipSync(message) : message;
      parts.push(varint(plain.length), plain);
    }
    at = end;
  }
  if (at !== bytes.length || at === 0) return undefined;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.of(...bytes, rest);
}
