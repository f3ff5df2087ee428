/** The example that resumes, against a server whose connections break in the middle of messages and events. */
import { expect, test } from 'vitest';
import { resumeEvents, resumeMessages } from '../../../docs/examples/23-resuming/index.ts';
import { WorkerSocket } from '../../../main/socket.ts';
import { EVENTS } from '../../setup/servers/event-server.ts';
import { FEED, feedItems, type FeedItem } from '../../setup/servers/feed.ts';

const never = new AbortController().signal;

test.each([
  ['a WebSocket', WebSocket],
  ['a WorkerSocket', WorkerSocket],
] as const)('messages of %s go on after the last one when connections break in the middle, with records of each connection', async (_, Socket) => {
  for (const format of ['json', 'messagepack', 'cbor'] as const) {
    const asked: number[] = [];
    let socket!: WebSocket | WorkerSocket;
    const connect = (after: number): WebSocket | WorkerSocket => {
      asked.push(after);
      socket = new Socket(`ws://${location.host}${FEED}?format=${format}&after=${after}&count=5&last=20`);
      return socket;
    };
    const taken: FeedItem[] = [];
    for await (const item of resumeMessages<FeedItem>(connect, { signal: never, pause: 1, format, keepRecords: true })) {
      taken.push(item);
      if (item.id % 5 === 0 && item.id < 20) socket.send('break');
    }
    expect(taken).toEqual(feedItems(1, 20));
    expect(asked).toEqual([0, 5, 10, 15]);
  }
});

test('events go on after the last id when connections break in the middle of an event, until the server answers 204', async () => {
  const taken: unknown[] = [];
  for await (const { data } of resumeEvents<{ id: number }>(`${EVENTS}?count=3&last=8&cut`, { signal: never, pause: 1 })) {
    taken.push(data);
    if (data.id % 3 === 0 || data.id === 8) await fetch(`${EVENTS}?break`);
  }
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, after: id <= 3 ? '' : id <= 6 ? '3' : '6' })));
});

test('an abort ends messages and events without an error', async () => {
  const stop = new AbortController();
  const messages = resumeMessages(() => new WebSocket(`ws://${location.host}/echo-socket`), { signal: stop.signal });
  const events = resumeEvents(`${EVENTS}?count=3&last=8&cut`, { signal: stop.signal, pause: 1_800_000 });
  const waiting = messages.next();
  stop.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
