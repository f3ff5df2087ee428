import type { Inbox } from '../../core/messages/inbox.ts';
import type { Taken } from './protocol.ts';

const encoder = new TextEncoder();

/**
 * Takes messages out of an inbox, and puts them into one buffer: to receive one of many messages takes the page no longer than to
 * receive one of them. Takes at most `most`, and stops once they have `mostBytes`. At least one must wait.
 */
export function packMessages(inbox: Inbox, most: number, mostBytes: number): Pick<Taken & { kind: 'messages' }, 'bytes' | 'ends' | 'texts'> {
  const messages: Uint8Array<ArrayBuffer>[] = [];
  const texts: number[] = [];
  let size = 0;
  while (messages.length < most && size < mostBytes) {
    const taken = inbox.take();
    if (!taken) break;
    const [data] = taken;
    const isText = typeof data === 'string';
    const bytes = isText ? encoder.encode(data) : new Uint8Array(data as ArrayBuffer);
    size += bytes.length;
    messages.push(bytes);
    texts.push(isText ? 1 : 0);
  }
  const bytes = messages.length === 1 ? messages[0]! : new Uint8Array(size);
  const ends = new Uint32Array(messages.length);
  let end = 0;
  for (const [index, message] of messages.entries()) {
    if (message !== bytes) bytes.set(message, end);
    ends[index] = end += message.length;
  }
  return { bytes, ends, texts: Uint8Array.from(texts) };
}
