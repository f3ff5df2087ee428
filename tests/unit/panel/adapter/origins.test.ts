import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../devtools-extension/adapter/adapter.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { originsOf, originText } from '../../../../devtools-extension/panel/requests/origins.ts';
import { newRow } from '../../../../devtools-extension/panel/requests/row.ts';
import { phasesOf, timeRangeOf } from '../../../../devtools-extension/panel/requests/waterfall.tsx';

const NETWORK = { timings: {}, httpVersion: '', remoteAddress: '', priority: '', initiator: '' };

/** A request as Chrome's log has it. */
function exchange(url: string, { isOfPage = true, initiator = 'fetch', script = undefined as string | undefined, ...headers }): Exchange {
  const requestHeaders = Object.entries(headers as Record<string, string>).map(([name, value]) => ({ name, value }));
  return createPageAdapter().add({ url: `https://a.test/${url}`, initiator, requestHeaders, network: { ...NETWORK, isOfPage, script } });
}

describe('the part of a page that made a request', () => {
  test('is told from the Referer, and from the destination of the request for it', () => {
    const referer = (path: string) => ({ Referer: `https://a.test/${path}` });
    const rows = [
      exchange('', { initiator: 'document', 'Sec-Fetch-Dest': 'document' }),
      exchange('frame.html', { initiator: 'document', 'Sec-Fetch-Dest': 'iframe', ...referer('') }),
      exchange('worker.js', { initiator: 'script', 'Sec-Fetch-Dest': 'worker', ...referer('') }),
      exchange('sw.js', { initiator: 'script', isOfPage: false }),
      exchange('of-page', referer('')),
      exchange('of-frame', referer('frame.html')),
      exchange('of-worker', { isOfPage: false, ...referer('worker.js') }),
      exchange('of-service-worker', { isOfPage: false, ...referer('sw.js') }),
      exchange('of-blob', { isOfPage: false, script: 'blob:https://a.test/1' }),
      exchange('socket', { initiator: 'websocket', isOfPage: false, script: 'https://a.test/frame.html' }),
      exchange('of-other', { isOfPage: false, ...referer('elsewhere') }),
    ].map((one, id) => newRow({ ...one, id }));
    const origins = originsOf(rows);
    expect(rows.map(({ exchange: { id } }) => originText(origins.get(id)))).toEqual([
      '',
      'page',
      'page',
      '',
      'page',
      'frame frame.html',
      'worker worker.js',
      'service worker sw.js',
      'worker',
      'frame frame.html',
      'frame or worker elsewhere',
    ]);
  });

  test('is not decided between a page and a frame with the same URL', () => {
    const rows = [
      exchange('', { initiator: 'document', 'Sec-Fetch-Dest': 'document' }),
      exchange('', { initiator: 'document', 'Sec-Fetch-Dest': 'iframe', Referer: 'https://a.test/' }),
      exchange('data', { Referer: 'https://a.test/' }),
    ].map((one, id) => newRow({ ...one, id }));
    expect(originsOf(rows).get(2)).toEqual({ kind: 'page or frame', url: 'https://a.test/' });
  });

  test('is left open for requests of a page whose load the browser has not seen', () => {
    const rows = [exchange('data', { isOfPage: false, Referer: 'https://a.test/' })].map(newRow);
    expect(originsOf(rows).size).toBe(0);
  });

  test('is left open for opened files, and where the browser has no details', () => {
    const file = createPageAdapter().add({ url: 'body.bin', method: 'FILE' });
    expect(originsOf([newRow(file)]).size).toBe(0);
  });
});

describe('the waterfall', () => {
  test('spans all requests, without opened files', () => {
    const rows = [
      { url: 'a', time: 1_000, duration: 50 },
      { url: 'b', time: 1_020, duration: 100 },
      { url: 'c', time: 9_000, duration: 1, method: 'FILE' },
    ].map((given) => newRow(createPageAdapter().add(given)));
    expect(timeRangeOf(rows)).toEqual({ from: 1_000, end: 1_120 });
  });

  test('has the phases of a request, or its duration where the browser has none', () => {
    const timed = exchange('a', {});
    timed.network = { ...NETWORK, timings: { queueing: 1, blocked: 2, connect: 3, wait: 10, receive: 5 } };
    expect(phasesOf(timed).map(({ id, time }) => [id, time])).toEqual([
      ['connect', 6],
      ['wait', 10],
      ['receive', 5],
    ]);
    expect(phasesOf(createPageAdapter().add({ url: 'b', duration: 7 }))).toEqual([{ id: 'receive', label: 'in all', time: 7 }]);
  });
});
