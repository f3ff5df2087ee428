import { Encoder as CborEncoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../devtools-extension/adapter/adapter.ts';
import { MessageLog } from '../../../devtools-extension/adapter/message-log.ts';
import { filterMessages } from '../../../devtools-extension/panel/messages/message-glances.ts';
import { detectFormat } from '../../../devtools-extension/reading/detect/detect-format.ts';
import { glanceOf } from '../../../devtools-extension/reading/session/across-bodies.ts';
import { readSpans } from '../../../devtools-extension/reading/spans/read-spans.ts';

const message = (content: string, direction: Message['direction'] = 'received', name?: string): Message => ({
  direction,
  time: 0,
  bytes: new TextEncoder().encode(content),
  isText: true,
  ...(name !== undefined && { name }),
});

test('a log of messages keeps the last ones within its limits, and counts the dropped ones', () => {
  const log = new MessageLog();
  const one = message('x'.repeat(100));
  // An hour of 50 messages a second.
  for (let count = 0; count < 180_000; count += 1) {
    log.push({ ...one, time: count });
    if (log.messages.length > 50_000) throw new Error('too many messages are kept');
  }
  expect(log.messages.length + log.dropped).toBe(180_000);
  expect(log.messages.at(-1)!.time).toBe(179_999);
  expect(log.messages[0]!.time).toBe(log.dropped);
});

test('a log of large messages keeps few of them', () => {
  const log = new MessageLog();
  const large = { ...message(''), bytes: new Uint8Array(20_000_000) };
  for (let count = 0; count < 10; count += 1) log.push(large);
  expect(log.messages.length).toBeLessThanOrEqual(3);
  expect(log.messages.length + log.dropped).toBe(10);
});

describe('the filter of messages', () => {
  const messages = [message('{"price":1}'), message('ping', 'sent'), message('', 'received', 'tick'), message('{"PRICE":2}', 'sent')];
  test('keeps those of a direction, and those that contain a text or have such a name', () => {
    expect(filterMessages(messages, { direction: 'all', text: '' })).toEqual([0, 1, 2, 3]);
    expect(filterMessages(messages, { direction: 'sent', text: '' })).toEqual([1, 3]);
    expect(filterMessages(messages, { direction: 'all', text: 'price' })).toEqual([0, 3]);
    expect(filterMessages(messages, { direction: 'received', text: 'TICK' })).toEqual([2]);
  });
});

test('a binary message at a glance has its format and its first values', async () => {
  const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack({ symbol: 'OAK', price: 7.5 }));
  const detection = await detectFormat(bytes, '', true, []);
  const { data, error } = await readSpans(bytes, { format: detection.format! });
  const glance = glanceOf({ detection, bytes, content: bytes, isPart: false, data, error, milliseconds: 0 });
  expect(glance).toEqual({ format: 'messagepack', text: 'symbol: "OAK", price: 7.5' });
});

test.each(['messagepack', 'cbor'] as const)('a sequence of %s at a glance has the values in its containers', async (format) => {
  const encode = (value: object): Uint8Array =>
    format === 'cbor' ? new CborEncoder({ useRecords: false }).encode(value) : new Packr({ useRecords: false }).pack(value);
  const bytes = Uint8Array.from(Buffer.concat([encode({ op: 'add', args: [1, { id: 7 }] }), encode({ op: 'remove', args: [] })]));
  const detection = await detectFormat(bytes, '', true, []);
  expect(detection).toMatchObject({ format, sequence: true });
  const { data, error } = await readSpans(bytes, { format, options: { sequence: true } });
  const { text } = glanceOf({ detection, bytes, content: bytes, isPart: false, data, error, milliseconds: 0 });
  expect(text).toBe('{op: "add", args: [1, {id: 7}]}, {op: "remove", args: []}');
});

test('the first values of a deep container have an end', async () => {
  const bytes = new Uint8Array(3_000).fill(0x91, 0, 2_999);
  const { data, error } = await readSpans(bytes, { format: 'messagepack' });
  const detection = await detectFormat(bytes, 'application/msgpack', true, []);
  const { text } = glanceOf({ detection, bytes, content: bytes, isPart: false, data, error, milliseconds: 0 });
  expect(text).toMatch(/^\[{100,250}…\]{100,250}$/);
});
