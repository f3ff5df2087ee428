import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallQueue } from '../../../devtools-extension/reading/worker/call-queue.ts';
import type { CallMessage, CallOptions, EncodeRequest } from '../../../devtools-extension/reading/protocol.ts';

/** Worker whose answers come from the test. */
class TestWorker extends EventTarget {
  readonly got: CallMessage[] = [];
  isStopped = false;

  postMessage(message: CallMessage): void {
    this.got.push(message);
  }

  terminate(): void {
    this.isStopped = true;
  }

  load(): void {
    this.dispatchEvent(new MessageEvent('message', { data: { hasLoaded: true } }));
  }

  answer(answer: number): void {
    this.dispatchEvent(new MessageEvent('message', { data: { id: this.got.at(-1)?.id, answer } }));
  }
}

let workers: TestWorker[];
let queue: CallQueue;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  queue = new CallQueue(() => {
    const worker = new TestWorker();
    workers.push(worker);
    return worker;
  });
});
afterEach(() => vi.useRealTimers());

/** Makes a call, identified by its format, and returns its outcome. */
function call(format: string, options?: CallOptions): Promise<unknown> {
  const promise = queue.call('encodeStart', { format } as unknown as EncodeRequest, options);
  return promise.catch((error: unknown) => (error as Error).name);
}

const begun = (worker: TestWorker): string[] => worker.got.map(({ request }) => (request as EncodeRequest).format);

describe('call queue', () => {
  test('stops a call at its time limit', async () => {
    const short = call('short', { longest: 1_000 });
    const next = call('next');
    workers[0]!.load();
    vi.advanceTimersByTime(999);
    expect(workers[0]!.isStopped).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await short).toBe('TimeoutError');
    workers[1]!.answer(7);
    expect(await next).toBe(7);
  });

  test('does not count the time in which the worker loads', async () => {
    const first = call('first', { longest: 1_000 });
    vi.advanceTimersByTime(30_000);
    workers[0]!.load();
    vi.advanceTimersByTime(999);
    workers[0]!.answer(1);
    expect(await first).toBe(1);
  });

  test('stops a call whose worker does not load', async () => {
    const first = call('first', { longest: 1_000 });
    vi.advanceTimersByTime(300_000);
    expect(await first).toBe('TimeoutError');
    expect(workers[0]!.isStopped).toBe(true);
  });

  test('lets the worker load if its first call is cancelled, and stops it if the call goes on', async () => {
    const controller = new AbortController();
    const dropped = call('dropped', { signal: controller.signal });
    controller.abort();
    expect(await dropped).toBe('AbortError');
    vi.advanceTimersByTime(30_000);
    expect(workers[0]!.isStopped).toBe(false);
    workers[0]!.load();
    vi.advanceTimersByTime(1_000);
    expect(workers[0]!.isStopped).toBe(true);
  });

  test('runs calls one after another, background calls last', async () => {
    const first = call('first', { isBackground: true });
    const background = call('background', { isBackground: true });
    const wanted = call('wanted');
    for (const answer of [1, 2, 3]) workers[0]!.answer(answer);
    expect(await Promise.all([first, wanted, background])).toEqual([1, 2, 3]);
    expect(begun(workers[0]!)).toEqual(['first', 'wanted', 'background']);
  });

  test('skips calls cancelled while they wait', async () => {
    const first = call('first');
    const controller = new AbortController();
    const dropped = call('dropped', { signal: controller.signal });
    controller.abort();
    workers[0]!.answer(1);
    expect(await Promise.all([first, dropped])).toEqual([1, 'AbortError']);
    expect(begun(workers[0]!)).toEqual(['first']);
  });

  test('stops calls cancelled while they run, and runs the next ones in another worker', async () => {
    const controller = new AbortController();
    const dropped = call('dropped', { signal: controller.signal });
    const next = call('next');
    workers[0]!.load();
    controller.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(workers[0]!.isStopped).toBe(true);
    workers[1]!.answer(2);
    expect(await Promise.all([dropped, next])).toEqual(['AbortError', 2]);
  });

  test('stops calls that take too long with an error', async () => {
    const slow = call('slow');
    const next = call('next');
    workers[0]!.load();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await slow).toBe('TimeoutError');
    expect(workers[0]!.isStopped).toBe(true);
    workers[1]!.answer(2);
    expect(await next).toBe(2);
  });

  test('settles all calls if the worker fails, and runs later ones in another', async () => {
    const calls = [call('first'), call('second')];
    workers[0]!.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }));
    expect(await Promise.all(calls)).toEqual(['Error', 'Error']);
    const later = call('later');
    workers[1]!.answer(3);
    expect(await later).toBe(3);
  });

  test('settles all calls when the panel closes', async () => {
    const calls = [call('first'), call('second')];
    queue.close();
    expect(await Promise.all(calls)).toEqual(['AbortError', 'AbortError']);
    expect(workers[0]!.isStopped).toBe(true);
  });
});
