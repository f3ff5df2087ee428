import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Entry, readContent } from '../../../../devtools-extension/adapter/content.ts';

type Answer = (content?: string | null, encoding?: string) => void;

/** Request as DevTools passes it; the test answers for its body. */
function entry(response: Partial<Entry['response']> = {}, method = 'GET'): Entry & { answer: Answer } {
  const made = {
    request: { method },
    response: { status: 200, content: { size: 3 }, ...response },
    answer: (() => undefined) as Answer,
    getContent(callback: Answer) {
      made.answer = callback;
    },
  };
  return made;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the bytes of a body are read unchanged', async () => {
  const asked = entry();
  const body = readContent(asked);
  asked.answer('AAH/', 'base64');
  expect(await body).toEqual({ bytes: Uint8Array.of(0, 1, 255) });
});

test('a base64 body is recognised by its length if the browser gives the media type instead of the encoding', async () => {
  const asked = entry();
  const body = readContent(asked);
  asked.answer('AAH/', 'application/vnd.msgpack');
  expect(await body).toEqual({ bytes: Uint8Array.of(0, 1, 255) });
  const text = entry({ content: { size: 4 } });
  const plain = readContent(text);
  text.answer('AAH/', 'text/plain');
  expect(await plain).toEqual({ bytes: new TextEncoder().encode('AAH/') });
});

test('a body that DevTools never delivers times out', async () => {
  const body = readContent(entry());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await body).toEqual({ missing: 'The page did not read this body, so the browser did not keep it.', mayBeElsewhere: true });
});

test('a body is awaited while earlier ones are delivered', async () => {
  const before = Array.from({ length: 10 }, () => entry());
  const bodies = before.map((one) => readContent(one));
  const late = entry();
  const body = readContent(late);
  for (const one of before) {
    await vi.advanceTimersByTimeAsync(3_000);
    one.answer('AAAA', 'base64');
  }
  await Promise.all(bodies);
  late.answer('AQID', 'base64');
  expect(await body).toEqual({ bytes: Uint8Array.of(1, 2, 3) });
});

test.each<[string, Answer extends (...values: infer V) => void ? V : never]>([
  ['nothing', []],
  ['undefined, as after a navigation', [undefined, undefined]],
  ['null', [null, '']],
  ['invalid base64', ['*', 'base64']],
])('a browser callback with %s settles with a reason', async (_, values) => {
  const asked = entry();
  const body = readContent(asked);
  asked.answer(...values);
  expect(await body).toEqual({ missing: expect.stringMatching(/^The browser /) as string, mayBeElsewhere: true });
});

test.each<[string, Entry & { answer: Answer }, RegExp, isElsewhere?: true]>([
  ['is cancelled', entry({ _error: 'net::ERR_ABORTED', status: 0 }), /cancelled this request before a response/],
  ['is cancelled or not read to its end', entry({ _error: 'net::ERR_ABORTED' }), /did not read the body to its end/, true],
  ['is a HEAD request that the browser calls aborted', entry({ _error: 'net::ERR_ABORTED' }, 'HEAD'), /no body/],
  ['fails', entry({ _error: 'net::ERR_FAILED' }), /failed: net::ERR_FAILED/],
  ['is larger than DevTools returns', entry({ content: { size: 20_000_000 } }), /15 MB/, true],
  ['is a redirect', entry({ status: 302 }), /redirect/],
  ['has no body', entry({ status: 204 }), /no body/],
  ['is a HEAD request', entry({}, 'HEAD'), /no body/],
  ['was dropped', entry(), /no longer has/, true],
])('the panel explains the missing body of a request that %s', async (_, asked, text, mayBeElsewhere) => {
  const body = readContent(asked);
  asked.answer(null, '');
  expect(await body).toEqual({ missing: expect.stringMatching(text) as string, ...(mayBeElsewhere && { mayBeElsewhere }) });
});

test('a body that has a length and is delivered as empty is missing', async () => {
  const asked = entry({ content: { size: 0 }, headers: [{ name: 'content-length', value: '7' }] });
  const body = readContent(asked);
  asked.answer('', '');
  expect(await body).toMatchObject({ mayBeElsewhere: true });
});

test('a body of the length 0 is empty, also where the browser says that the request was cancelled', async () => {
  const headers = [{ name: 'Content-Length', value: '0' }];
  expect(await readContent(entry({ _error: 'net::ERR_ABORTED', headers }))).toEqual({ bytes: new Uint8Array(0) });
});
