import { findFraming } from '../../reading/framings/index.ts';
import { isPayload, textOf } from '../../reading/framings/framing.ts';
import { socketEvent } from '../../reading/framings/socket-io.ts';
import type { Message } from '../../adapter/adapter.ts';
import { graphqlOperation } from '../requests/operation.ts';

/** Size up to which messages are parsed. */
const MAX_BYTES = 100_000;

/** Summary of a message: a Socket.IO event, a SignalR call or a GraphQL operation. Undefined for other messages. */
export function messageLabel({ bytes, isText, name }: Message, url: string): string | undefined {
  if (name !== undefined || bytes.length > MAX_BYTES) return undefined;
  const framing = findFraming(bytes, { contentType: '', url, message: isText ? 'text' : 'binary' });
  if (framing?.wrapping === 'Socket.IO packets' || framing?.wrapping === 'Engine.IO packets') return socketEvent(bytes, framing);
  if (framing?.wrapping === 'SignalR messages') {
    const [piece] = framing.pieces;
    const payload = piece!.parts.find(isPayload)!;
    const target = payload.format === 'json' ? jsonIn(textOf(bytes, payload.from, payload.end))?.['target'] : undefined;
    return typeof target === 'string' ? `${piece!.type} ${target}` : piece!.type;
  }
  return isText && bytes[0] === 0x7b ? graphqlMessage(textOf(bytes)) : undefined;
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md */
function graphqlMessage(text: string): string | undefined {
  if (!/^\{[^{]*"type"\s*:\s*"(?:connection_(?:init|ack)|ping|pong|subscribe|start|next|data|error|complete|stop|ka)"/.test(text)) return undefined;
  const { type, id, payload } = (jsonIn(text) ?? {}) as { type?: string; id?: string | number; payload?: unknown };
  return [type, id === undefined ? undefined : `#${id}`, graphqlOperation(payload)].filter((part) => part !== undefined).join(' ') || undefined;
}
