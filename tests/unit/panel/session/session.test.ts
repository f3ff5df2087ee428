import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import type { Exchange, Message } from '../../../../devtools-extension/adapter/adapter.ts';
import { readHar, writeHar } from '../../../../devtools-extension/panel/files/har.ts';
import { newRow, type Row } from '../../../../devtools-extension/panel/requests/row.ts';
import { sessionTotals } from '../../../../devtools-extension/panel/session/session-totals.ts';
import { pickValue, searchBody } from '../../../../devtools-extension/reading/session/across-bodies.ts';
import type { ReadAnswer } from '../../../../devtools-extension/reading/protocol.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import fc from '../../../setup/properties/property.ts';

const header = (name: string, value: string) => ({ name, value });
let nextId = 0;
const ids = (): number => --nextId;

describe('HAR writer', () => {
  const saved = () => {
    const secrets = [header('Cookie', 'sid=1'), header('Authorization', 'Bearer x'), header('accept', '*')];
    const exchange = createPageAdapter().add({
      url: 'https://a.test/',
      bytes: new Uint8Array(0),
      requestHeaders: secrets,
      responseHeaders: [header('set-cookie', 'sid=2')],
    });
    return [{ exchange, response: { bytes: new Uint8Array(0) }, request: undefined }];
  };

  test('leaves out cookies and Authorization unless they are wanted', () => {
    const plain = writeHar(saved(), '1');
    expect(plain).not.toMatch(/sid=|Bearer/);
    expect(plain).toContain('accept');
    expect(writeHar(saved(), '1', { secrets: true })).toMatch(/sid=1[^]*Bearer x[^]*sid=2/);
  });
});

describe('HAR reader', () => {
  test('restores every request and its bodies, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.option(fc.uint8Array({ minLength: 1 }), { nil: undefined }), fc.string(), async (got, sent, text) => {
        const adapter = createPageAdapter();
        const url = `https://a.test/x?q=${encodeURIComponent(text)}`;
        const exchange = adapter.add({
          url,
          method: 'POST',
          status: 201,
          statusText: 'Created',
          contentType: 'application/x',
          bytes: got,
          time: 1_700_000_000_000,
          duration: 12.5,
          encodedSize: 9,
          transferred: 99,
          requestHeaders: [header('content-length', String(sent?.length ?? 0))],
          responseHeaders: [header('content-type', 'application/x')],
          ...(sent && { requestBody: () => Promise.resolve({ bytes: sent }) }),
        });
        const log = writeHar([{ exchange, response: { bytes: got }, request: sent && { bytes: sent } }], '1');
        const [read] = readHar(log, ids)!;
        expect(read).toMatchObject({
          url,
          method: 'POST',
          status: 201,
          contentType: 'application/x',
          time: 1_700_000_000_000,
          duration: 12.5,
          encodedSize: 9,
          transferred: 99,
        });
        expect(read!.network!.initiator).toBe('a HAR file');
        expect(await read!.responseBody()).toEqual({ bytes: got });
        expect(await read!.requestBody?.()).toEqual(sent && expect.objectContaining({ bytes: sent }));
      }),
      { numRuns: 150 },
    ));

  test('restores the messages of streams, and reads event streams of other programs from their bodies', async () => {
    const of = (given: Partial<Exchange>): Exchange => createPageAdapter().add({ url: 'wss://a.test/', ...given });
    const message = (text: string, more: Partial<Message>): Message => ({
      direction: 'received',
      time: 1_700_000_000_000,
      bytes: new TextEncoder().encode(text),
      isText: true,
      ...more,
    });
    const lists = [
      [message('é', { direction: 'sent' }), { ...message('', { isText: false }), bytes: Uint8Array.of(0, 255) }],
      [message('a\nb', { name: 'price' })],
    ];
    for (const messages of lists) {
      const [read] = readHar(writeHar([{ exchange: of({}), response: { bytes: new Uint8Array(0) }, request: undefined, messages }], '1'), ids)!;
      expect(await read!.messages!()).toEqual(messages);
      expect(read!.encodedSize).toBe(messages.reduce((sum, { bytes }) => sum + bytes.length, 0));
    }
    const exchange = of({ contentType: 'text/event-stream', time: 5, responseHeaders: [header('content-type', 'text/event-stream')] });
    const response = { bytes: new TextEncoder().encode('data: {}\n\nevent: end\ndata: 1\n\n') };
    const [read] = readHar(writeHar([{ exchange, response, request: undefined }], '1'), ids)!;
    expect(await read!.messages!()).toEqual([message('{}', { time: 5, name: 'message' }), message('1', { time: 5, name: 'end' })]);
  });

  test('reads a log as far as valid, and rejects other files', async () => {
    const [read] = readHar(
      JSON.stringify({ log: { entries: [{ request: { url: 'https://a.test/' }, response: { content: {} } }, { request: {} }, null] } }),
      ids,
    )!;
    expect(read).toMatchObject({ method: 'GET', status: 0, encodedSize: -1 });
    expect(await read!.responseBody()).toEqual({ missing: 'The HAR file does not contain this body.' });
    for (const text of ['{', '{"log":1}', 'null', '[]']) expect(readHar(text, ids), text).toBeUndefined();
  });
});

test('totals combine addresses that differ only in numbers and parameters', () => {
  const row = (url: string, given: Partial<Exchange> = {}, size = 10): Row => ({
    ...newRow(createPageAdapter().add({ url, transferred: 4, ...given })),
    size,
  });
  const totals = sessionTotals([
    row('https://a.test/trips/1?x=1'),
    row('https://a.test/trips/22'),
    row('https://a.test/trips/3', { status: 500 }),
    row('https://a.test/users/0190a5f2-7b3c-7def-8a1b-0123456789ab', { transferred: 100 }),
    row('file:///x', { method: 'FILE' }),
  ]);
  expect(totals).toEqual([
    { address: 'https://a.test/users/*', format: '–', count: 1, size: 10, transferred: 100, failed: 0 },
    { address: 'https://a.test/trips/*', format: '–', count: 3, size: 30, transferred: 12, failed: 1 },
  ]);
});

describe('session', () => {
  const answer = async (value: unknown): Promise<ReadAnswer> => {
    const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack(value));
    const detection = { format: 'messagepack' as const, confidence: 1, reasons: [], sequence: false, wrappings: [] };
    return { detection, bytes, content: bytes, isPart: false, ...(await readSpans(bytes, { format: 'messagepack' })) };
  };

  test('searches closed bodies, with the count and the paths of the first matches', async () => {
    const found = searchBody(await answer(Array.from({ length: 30 }, (_, i) => ({ name: `oak ${i}` }))), { text: 'oak', where: 'all' });
    expect(found.count).toBe(30);
    expect(found.matches).toHaveLength(20);
    expect(found.matches[1]).toEqual({ path: [1, 'name'], text: 'oak 1' });
  });

  test('returns the value at a path of a closed body', async () => {
    const body = await answer({ trips: [{ price: 2.5, tags: ['a', 'b'] }], ok: true });
    expect(pickValue(body, ['trips', 0, 'price'])).toEqual({ path: ['trips', 0, 'price'], text: '2.5' });
    expect(pickValue(body, ['trips', 0, 'tags'])?.text).toBe('[2 items]');
    expect(pickValue(body, ['ok'])?.text).toBe('true');
    expect(pickValue(body, ['trips', 1, 'price'])).toBeUndefined();
  });
});
