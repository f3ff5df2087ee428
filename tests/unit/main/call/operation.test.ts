import { describe, expect, test, vi } from 'vitest';
import { newReport } from '../../../../main/call/observe.ts';
import { Operation } from '../../../../main/call/operation.ts';

const operationOf = (options: { signal?: AbortSignal; timeout?: number } = {}, settled: (...call: unknown[]) => void = () => {}): Operation =>
  new Operation(newReport({}), options, settled);

describe('operation', () => {
  test.each([2 ** 31, Infinity])('starts no timer for a timeout of %d ms', (timeout) => {
    vi.useFakeTimers();
    const operation = operationOf({ timeout });
    expect(vi.getTimerCount()).toBe(0);
    operation.resolve(1);
    vi.useRealTimers();
  });

  test('settles at most once', async () => {
    const settled = vi.fn();
    const operation = operationOf({}, settled);
    operation.resolve(1);
    operation.resolve(2);
    operation.reject(new Error('late'));
    operation.leave(new Error('late'));
    await expect(operation.promise).resolves.toBe(1);
    expect(settled.mock.calls).toEqual([[undefined, false]]);
    expect(operation.signal.aborted).toBe(false);
  });

  test('aborts its own signal when rejected or left, after its promise has settled', async () => {
    const rejected = operationOf();
    const settled: boolean[] = [];
    rejected.signal.addEventListener('abort', () => settled.push(rejected.settled));
    rejected.reject('enough');
    rejected.reject('again');
    await expect(rejected.promise).rejects.toBe('enough');
    expect(rejected.signal.reason).toBe('enough');
    expect(settled).toEqual([true]);

    const left = operationOf();
    left.leave('enough');
    await expect(left.promise).resolves.toBeUndefined();
    expect(left.signal.reason).toBe('enough');
  });

  test("merges its meters' figures into the report when it settles, later ones over earlier ones", () => {
    const operation = operationOf();
    let rows = 1;
    operation.measure(() => ({ rows, bytes: 10 }));
    operation.measure(() => ({ bytes: 20 }));
    expect(operation.rows).toBe(1);
    rows = 2;
    operation.resolve(1);
    rows = 3;
    expect(operation.report).toMatchObject({ rows: 2, bytes: 20 });
  });

  test("settles even if its meters or callback throw, and reports the other meters' figures", async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const ends: ((operation: Operation) => void)[] = [(one) => one.resolve(1), (one) => one.reject('enough'), (one) => one.leave('enough')];
    const results = ends.map((end) => {
      const operation = operationOf({}, broken);
      operation.measure(broken);
      operation.measure(() => ({ rows: 2 }));
      end(operation);
      expect(operation.report.rows).toBe(2);
      return operation.promise;
    });
    expect(await Promise.allSettled(results)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: 'enough' },
      { status: 'fulfilled', value: undefined },
    ]);
  });

  test('follows the given signal until settled', async () => {
    const controller = new AbortController();
    const operation = operationOf({ signal: controller.signal });
    controller.abort('enough');
    await expect(operation.promise).rejects.toBe('enough');
    expect(operation.settled).toBe(true);
  });

  test('rejects at its timeout', async () => {
    vi.useFakeTimers();
    try {
      const late = operationOf({ timeout: 100 });
      const early = operationOf({ timeout: 100 });
      const endless = operationOf({ timeout: Infinity });
      early.resolve('early');
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(100);
      await expect(late.promise).rejects.toMatchObject({ name: 'TimeoutError', code: 'timeout' });
      await expect(early.promise).resolves.toBe('early');
      expect(endless.settled).toBe(false);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
