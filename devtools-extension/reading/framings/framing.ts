import type { Wrapping } from '../protocol.ts';
import type { FormatId } from '../../../core/format/format-id.ts';

/** Bytes of a framing outside the payloads: a flag, a length, a header. */
export interface ShellPart {
  name: string;
  /** Encoding, for example `uint32`. */
  type: string;
  from: number;
  end: number;
  value: number | string;
}

/** A payload in a framed body. */
export interface FramedPayload {
  name: string;
  from: number;
  end: number;
  /** True if the payload is compressed; it then has no tree. */
  isCompressed?: boolean;
  /** Format declared by the framing. */
  format?: FormatId | undefined;
}

/** One piece of a framed body: parts of the framing and the payload, in byte order. */
export interface Piece {
  /** Type of the piece, for example `message frame`. */
  type: string;
  from: number;
  end: number;
  parts: (ShellPart | FramedPayload)[];
}

/** Structure of a framed body. */
export interface Framing {
  wrapping: Wrapping;
  /** False for a single payload after a prefix, which is one piece. */
  isList: boolean;
  pieces: Piece[];
  /** Format of all payloads, if the framing declares it. */
  format?: FormatId | undefined;
}

export function isPayload(part: ShellPart | FramedPayload): part is FramedPayload {
  return !('value' in part);
}

/** Payloads of a framed body, in order. */
export function payloadsOf({ pieces }: Framing): FramedPayload[] {
  return pieces.flatMap(({ parts }) => parts.filter(isPayload));
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array, from = 0, end = bytes.length): string {
  return decoder.decode(bytes.subarray(from, end));
}
