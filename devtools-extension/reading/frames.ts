import { gunzipSync } from 'fflate';
import { fromBase64 } from '../adapter/bytes.ts';
import type { Wrapping } from './protocol.ts';
import { isText } from './signatures.ts';

/**
 * The messages of gRPC, gRPC-web and Connect streams, with what they lie in taken off; undefined where the bytes are no
 * frames. Messages of Protocol Buffers have their lengths as varints before them then, those of JSON a line each.
 * Without a Content-Type only frames that end with trailers are taken for such.
 *
 *     uint8 flags, uint32 length, message      flags: 1 compressed, 2 the end of a Connect stream, 0x80 trailers
 */
export function decodeFrames(body: Uint8Array, contentType: string): { bytes: Uint8Array; wrappings: Wrapping[] } | undefined {
  const [, kind] = /^application\/(grpc-web-text|grpc-web|grpc|connect)(?![a-z-])/i.exec(contentType) ?? [];
  const isBase64 = kind?.toLowerCase() === 'grpc-web-text';
  const frames = framesOf(isBase64 ? fromBase64Parts(body) : body);
  if (!frames) return undefined;
  const last = frames.at(-1)!;
  const hasTrailers = (last.flags & 0x80) !== 0 && /^grpc-(?:status|message):/im.test(textOf(last.message));
  const hasEnd = (last.flags & 0x82) === 2 && textOf(last.message).startsWith('{');
  if (kind === undefined && !hasTrailers && !hasEnd) return undefined;
  const name: Wrapping = kind?.toLowerCase() === 'connect' || hasEnd ? 'Connect envelopes' : kind?.toLowerCase() === 'grpc' ? 'gRPC frames' : 'gRPC-web frames';
  const messages = frames.filter(({ flags }) => (flags & 0x82) === 0).map(({ flags, message }) => ((flags & 1) === 1 ? gunzipSync(message) : message));
  const isJson = /\+json\b/i.test(contentType) || (messages.length > 0 && messages.every((message) => message[0] === 0x7b && isText(message)));
  const bytes = isJson ? joined(messages.flatMap((message) => [message, Uint8Array.of(0x0a)])) : joined(messages.flatMap((message) => [varint(message.length), message]));
  return { bytes, wrappings: isBase64 ? ['base64', name] : [name] };
}

interface Frame {
  flags: number;
  message: Uint8Array;
}

function framesOf(bytes: Uint8Array): Frame[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const flags = bytes[at]!;
    const end = at + 5 + view.getUint32(at + 1);
    if (end > bytes.length || (flags & 0x7c) !== 0) return undefined;
    frames.push({ flags, message: bytes.subarray(at + 5, end) });
    at = end;
  }
  return at === bytes.length && at > 0 ? frames : undefined;
}

/** What a server writes in parts, each of which may end with padding. */
function fromBase64Parts(body: Uint8Array): Uint8Array {
  const text = textOf(body).replaceAll(/\s/g, '');
  return joined(Array.from(text.matchAll(/[^=]+={0,2}/g), ([part]) => fromBase64(part)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
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
