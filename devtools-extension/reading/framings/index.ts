import type { Framing } from './framing.ts';
import { findGrpc } from './grpc.ts';
import { findForm, findMultipart } from './multipart.ts';
import { findConfluent, findGuard } from './prefixes.ts';
import { findSignalR } from './signalr.ts';
import { findSocketIo } from './socket-io.ts';

/** What may tell a framing besides the bytes. */
export interface FramingHints {
  contentType: string;
  /** The address of the request, where it is known. */
  url?: string | undefined;
  /** The bytes are a message of a WebSocket, of the kind given. */
  message?: 'text' | 'binary' | undefined;
}

/** How a body is framed; undefined where it is not. */
export function findFraming(bytes: Uint8Array, { contentType, url = '', message }: FramingHints): Framing | undefined {
  return (
    findGrpc(bytes, contentType) ??
    findSocketIo(bytes, message === 'binary' ? '' : url) ??
    (message ? findSignalR(bytes, message === 'binary') : undefined) ??
    findMultipart(bytes, contentType) ??
    findForm(bytes, contentType) ??
    findConfluent(bytes, contentType) ??
    findGuard(bytes)
  );
}
