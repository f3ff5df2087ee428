import type { Wrapping } from '../protocol.ts';
import type { FormatId } from '../../../core/formats/registry.ts';

/** Bytes of a framing that are no payload: a flag, a length, a header. */
export interface ShellPart {
  name: string;
  /** How it is written, for example `uint32`. */
  type: string;
  from: number;
  end: number;
  value: number | string;
}

/** A payload within a framed body. */
export interface FramedPayload {
  name: string;
  from: number;
  end: number;
  /** The payload is compressed: it has no tree within the framed bytes. */
  isCompressed?: boolean;
  /** The framing says so. */
  format?: FormatId | undefined;
}

/** One piece of a framed body: what stands around a payload, and the payload, in the order of the bytes. */
export interface Piece {
  /** What the piece is, for example `message frame`. */
  type: string;
  from: number;
  end: number;
  parts: (ShellPart | FramedPayload)[];
}

/** How a framed body is made up. */
export interface Framing {
  wrapping: Wrapping;
  /** False where one payload stands behind a prefix: then there is one piece. */
  isList: boolean;
  pieces: Piece[];
  /** The format that all payloads have, where the framing says so. */
  format?: FormatId | undefined;
}

export function isPayload(part: ShellPart | FramedPayload): part is FramedPayload {
  return !('value' in part);
}

/** The payloads of a framed body, in their order. */
export function payloadsOf({ pieces }: Framing): FramedPayload[] {
  return pieces.flatMap(({ parts }) => parts.filter(isPayload));
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array, from = 0, end = bytes.length): string {
  return decoder.decode(bytes.subarray(from, end));
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
