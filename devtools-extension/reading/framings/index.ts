import type { Framing } from './framing.ts';
import { findGrpc } from './grpc.ts';
import { findForm, findMultipart } from './multipart.ts';
import { findConfluent, findGuard } from './prefixes.ts';
import { findServerComponents } from './server-components.ts';
import { findSignalR } from './signalr.ts';
import { findSocketIo } from './socket-io.ts';

/** Hints about a framing, apart from the bytes. */
export interface FramingHints {
  contentType: string;
  /** URL of the request, if known. */
  url?: string | undefined;
  /** Kind of the WebSocket message; undefined for other bodies. */
  message?: 'text' | 'binary' | undefined;
}

/** Detects the framing of a body; undefined if there is no framing. */
export function findFraming(bytes: Uint8Array, { contentType, url = '', message }: FramingHints): Framing | undefined {
  return (
    findGrpc(bytes, contentType) ??
    findSocketIo(bytes, message === 'binary' ? '' : url) ??
    (message ? findSignalR(bytes, message === 'binary') : undefined) ??
    findServerComponents(bytes, contentType, url) ??
    findMultipart(bytes, contentType) ??
    findForm(bytes, contentType) ??
    findConfluent(bytes, contentType) ??
    findGuard(bytes)
  );
}
