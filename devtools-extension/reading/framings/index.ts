import type { Framing } from './framing.ts';
import { findGrpc } from './grpc.ts';

/** What may tell a framing besides the bytes. */
export interface FramingHints {
  contentType: string;
}

/** How a body is framed; undefined where it is not. */
export function findFraming(bytes: Uint8Array, { contentType }: FramingHints): Framing | undefined {
  return findGrpc(bytes, contentType);
}
