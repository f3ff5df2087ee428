import { joined } from '../../../core/bytes/byte-input.ts';
import { fromBase64 } from '../../adapter/bytes.ts';
import { type FramedPayload, type Framing, type Piece, type ShellPart, textOf } from './framing.ts';

/** Frame flags: compressed; end of a Connect stream; gRPC-web trailers. */
const COMPRESSED = 1;
const END_STREAM = 2;
const TRAILERS = 0x80;

/** A trailer with its byte range. */
interface TrailerLine {
  name: string;
  value: string;
  from: number;
  end: number;
}

/**
 * Frames of gRPC, gRPC-web and Connect streams. Without a Content-Type, frames are recognized only if they end with trailers.
 *
 *     uint8 flags, uint32 length, message      flags: 1 compressed, 2 end of a Connect stream, 0x80 trailers
 *
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md, https://connectrpc.com/docs/protocol#streaming-rpcs
 */
export function findGrpc(bytes: Uint8Array, contentType: string): Framing | undefined {
  const kind = grpcKind(contentType);
  const frames = framesOf(bytes);
  if (!frames) return undefined;
  const last = frames.at(-1)!;
  const lastText = (last.flags & (TRAILERS | END_STREAM)) === 0 ? '' : textOf(bytes, last.from, last.end);
  const hasTrailers = (last.flags & TRAILERS) !== 0 && /^grpc-(?:status|message):/im.test(lastText);
  const hasEnd = (last.flags & (TRAILERS | END_STREAM)) === END_STREAM && lastText.startsWith('{');
  if (kind === undefined && !hasTrailers && !hasEnd) return undefined;
  return {
    wrapping: kind === 'connect' || hasEnd ? 'Connect envelopes' : kind === 'grpc' ? 'gRPC frames' : 'gRPC-web frames',
    isList: true,
    pieces: frames.map((frame) => pieceOf(bytes, frame)),
    format: /\+json\b/i.test(contentType) ? 'json' : undefined,
  };
}

/** Decodes a gRPC-web body in base64, whose parts may each end with padding; undefined for other bodies. */
export function grpcWebText(body: Uint8Array, contentType: string): Uint8Array | undefined {
  if (grpcKind(contentType) !== 'grpc-web-text') return undefined;
  const text = textOf(body).replaceAll(/\s/g, '');
  try {
    return joined(Array.from(text.matchAll(/[^=]+={0,2}/g), ([part]) => fromBase64(part)));
  } catch {
    return undefined;
  }
}

function grpcKind(contentType: string): string | undefined {
  return /^application\/(grpc-web-text|grpc-web|grpc|connect)(?![a-z-])/i.exec(contentType)?.[1]?.toLowerCase();
}

interface Frame {
  flags: number;
  start: number;
  from: number;
  end: number;
}

function framesOf(bytes: Uint8Array): Frame[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const flags = bytes[at]!;
    const end = at + 5 + view.getUint32(at + 1);
    if (end > bytes.length || (flags & ~(TRAILERS | END_STREAM | COMPRESSED)) !== 0) return undefined;
    frames.push({ flags, start: at, from: at + 5, end });
    at = end;
  }
  return at === bytes.length && at > 0 ? frames : undefined;
}

function pieceOf(bytes: Uint8Array, { flags, start, from, end }: Frame): Piece {
  const head: ShellPart[] = [
    { name: 'flags', type: 'uint8', from: start, end: start + 1, value: flags },
    { name: 'length', type: 'uint32', from: start + 1, end: from, value: end - from },
  ];
  const isCompressed = (flags & COMPRESSED) !== 0;
  if ((flags & TRAILERS) !== 0 && !isCompressed) {
    return {
      type: 'trailers frame',
      from: start,
      end,
      parts: [...head, ...trailerLines(bytes, from, end).map((line) => ({ ...line, type: 'header' }))],
    };
  }
  const isEnd = (flags & END_STREAM) !== 0;
  const payload: FramedPayload = { name: isEnd ? 'end of stream' : 'message', from, end, isCompressed, ...(isEnd && { format: 'json' }) };
  return { type: isEnd ? 'end of stream' : 'message frame', from: start, end, parts: [...head, payload] };
}

/** Lines of the form `name: value`, including their line ends. */
export function trailerLines(bytes: Uint8Array, from: number, end: number): TrailerLine[] {
  const lines: TrailerLine[] = [];
  for (let at = from; at < end;) {
    const feed = bytes.indexOf(0x0a, at);
    const next = feed < 0 || feed >= end ? end : feed + 1;
    const line = textOf(bytes, at, next).trimEnd();
    const colon = line.indexOf(':');
    if (line !== '')
      lines.push({
        name: (colon < 0 ? line : line.slice(0, colon)).trim().toLowerCase(),
        value: colon < 0 ? '' : line.slice(colon + 1).trim(),
        from: at,
        end: next,
      });
    at = next;
  }
  return lines;
}
