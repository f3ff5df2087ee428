import { varintAt } from '../../values/numbers-in-bytes.ts';
import { type Framing, type Piece, textOf } from './framing.ts';

const RECORD_SEPARATOR = 0x1e;
/** Bytes of the longest length. */
const MAX_LENGTH_BYTES = 5;
/** Message types of the hub protocol, by number. */
const TYPES = ['', 'Invocation', 'StreamItem', 'Completion', 'StreamInvocation', 'CancelInvocation', 'Ping', 'Close', 'Ack', 'Sequence'];

/**
 * Messages of SignalR's hub protocol: JSON terminated by record separators, or MessagePack with varint lengths.
 *
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md
 */
export function findSignalR(bytes: Uint8Array, isBinary: boolean): Framing | undefined {
  return findJson(bytes) ?? (isBinary ? findMessagePack(bytes) : undefined);
}

function findJson(bytes: Uint8Array): Framing | undefined {
  if (bytes[0] !== 0x7b || bytes.at(-1) !== RECORD_SEPARATOR) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(RECORD_SEPARATOR, at);
    pieces.push({
      type: typeOf(textOf(bytes, at, end)),
      from: at,
      end: end + 1,
      parts: [
        { name: 'message', from: at, end, format: 'json' },
        { name: 'separator', type: 'record separator', from: end, end: end + 1, value: 0x1e },
      ],
    });
    at = end + 1;
  }
  return { wrapping: 'SignalR messages', isList: pieces.length > 1, pieces, format: 'json' };
}

/** Type of a message in JSON, whose properties have any order. The handshake has none. */
function typeOf(json: string): string {
  try {
    return TYPES[(JSON.parse(json) as { type?: number }).type ?? 0] || 'handshake';
  } catch {
    return 'message';
  }
}

/** Arrays whose first item is a known message type, which is unlikely to occur by chance. */
function findMessagePack(bytes: Uint8Array): Framing | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const found = varintAt(bytes, at, Math.min(bytes.length, at + MAX_LENGTH_BYTES));
    if (!found) return undefined;
    const { value: length, next } = found;
    const end = next + length;
    const isList = bytes[next]! >> 4 === 9 && bytes[next + 1]! < TYPES.length && bytes[next + 1]! > 0;
    if (length < 2 || end > bytes.length || !isList) return undefined;
    pieces.push({
      type: TYPES[bytes[next + 1]!]!,
      from: at,
      end,
      parts: [
        { name: 'length', type: 'varint', from: at, end: next, value: length },
        { name: 'message', from: next, end, format: 'messagepack' },
      ],
    });
    at = end;
  }
  return pieces.length === 0 ? undefined : { wrapping: 'SignalR messages', isList: pieces.length > 1, pieces, format: 'messagepack' };
}
