import type { FormatId } from '../../../core/format/format-id.ts';
import { type FramedPayload, type Framing, isPayload, type Piece, type ShellPart, textOf } from './framing.ts';

/** https://github.com/socketio/engine.io-protocol#packet-encoding */
const ENGINE = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'];
/** https://github.com/socketio/socket.io-protocol#exchange-protocol */
const SOCKET = ['CONNECT', 'DISCONNECT', 'EVENT', 'ACK', 'CONNECT_ERROR', 'BINARY_EVENT', 'BINARY_ACK'];
/** Prefix of a base64 attachment in an HTTP body. */
const BINARY = 0x62;
/** Separator between packets in an HTTP body. */
const SEPARATOR = 0x1e;

/**
 * Packets of Engine.IO 4 that contain packets of Socket.IO 5: one per WebSocket message, several per HTTP body.
 *
 *     Engine.IO packet   one digit, then content; 4 is a message, which contains:
 *     Socket.IO packet   one digit, [attachments "-"], ["/" namespace ","], [id], [JSON]
 */
export function findSocketIo(bytes: Uint8Array, url: string): Framing | undefined {
  if (!/[?&]EIO=\d/.test(url) || bytes.length === 0) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(SEPARATOR, at);
    const end = found < 0 ? bytes.length : found;
    const piece = packetOf(bytes, at, end);
    if (!piece) return undefined;
    pieces.push(piece);
    at = end + 1;
  }
  const hasSocket = pieces.some(({ parts }) => parts.some(({ name }) => name === 'Socket.IO'));
  return { wrapping: hasSocket ? 'Socket.IO packets' : 'Engine.IO packets', isList: pieces.length > 1, pieces, format: 'json' };
}

/** Event name of a packet, for lists. */
export function socketEvent(bytes: Uint8Array, { pieces }: Framing): string | undefined {
  const payload = pieces[0]?.parts.find(isPayload);
  if (!payload) return pieces[0]?.type;
  return /^\s*\["((?:[^"\\]|\\.){1,80})"/.exec(textOf(bytes, payload.from, Math.min(payload.end, payload.from + 400)))?.[1] ?? pieces[0]!.type;
}

function packetOf(bytes: Uint8Array, from: number, end: number): Piece | undefined {
  if (bytes[from] === BINARY) {
    const mark: ShellPart = { name: 'Engine.IO', type: 'Engine.IO packet type', from, end: from + 1, value: 'b binary' };
    return { type: 'binary', from, end, parts: [mark, { name: 'data', type: 'base64', from: from + 1, end, value: textOf(bytes, from + 1, end) }] };
  }
  const type = ENGINE[bytes[from]! - 0x30];
  if (type === undefined) return undefined;
  const engine = digit('Engine.IO', type, bytes, from);
  if (type !== 'message') {
    return { type, from, end, parts: [engine, ...(end > from + 1 ? [payloadOf(bytes, from + 1, end)] : [])] };
  }
  const socket = socketPacket(bytes, from + 1, end);
  return {
    type: socket ? String(socket[0].value).replace(/^\d /, '') : type,
    from,
    end,
    parts: [engine, ...(socket?.parts ?? (end > from + 1 ? [payloadOf(bytes, from + 1, end)] : []))],
  };
}

function socketPacket(bytes: Uint8Array, from: number, end: number): { 0: ShellPart; parts: (ShellPart | FramedPayload)[] } | undefined {
  const type = SOCKET[bytes[from]! - 0x30];
  if (type === undefined) return undefined;
  // The part before the JSON is short.
  const text = new TextDecoder('windows-1252').decode(bytes.subarray(from + 1, Math.min(end, from + 300)));
  const [, attachments, namespace, id] = /^(?:(\d+)-)?(?:(\/[^,[{"]*),?)?(\d+)?/.exec(text)!;
  const first = digit('Socket.IO', type, bytes, from);
  const parts: (ShellPart | FramedPayload)[] = [first];
  let at = from + 1;
  const add = (name: string, length: number, value: number | string): void => {
    parts.push({ name, type: name, from: at, end: at + length, value });
    at += length;
  };
  if (attachments !== undefined) add('attachments', attachments.length + 1, Number(attachments));
  if (namespace !== undefined) add('namespace', namespace.length + (bytes[at + namespace.length] === 0x2c ? 1 : 0), namespace);
  if (id !== undefined) add('id', id.length, Number(id));
  if (at < end) parts.push(payloadOf(bytes, at, end));
  return { 0: first, parts };
}

function digit(name: string, type: string, bytes: Uint8Array, at: number): ShellPart {
  return { name, type: `${name} packet type`, from: at, end: at + 1, value: `${bytes[at]! - 0x30} ${type}` };
}

/** JSON, or plain text. */
function payloadOf(bytes: Uint8Array, from: number, end: number): FramedPayload | ShellPart {
  const format: FormatId | undefined = [0x7b, 0x5b, 0x22].includes(bytes[from]!) ? 'json' : undefined;
  return format ? { name: 'data', from, end, format } : { name: 'data', type: 'text', from, end, value: textOf(bytes, from, end) };
}
