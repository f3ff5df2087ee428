import { describe, expect, test, vi } from 'vitest';
import { Operation } from '../../../main/decoder/operation.ts';

describe('an operation', () => {
  test.each([2 ** 31, Infinity])('has no timer where none can run so long (%d ms)', (timeout) => {
    vi.useFakeTimers();
    const operation = new Operation(undefined, timeout, () => {});
    expect(vi.getTimerCount()).toBe(0);
    operation.resolve(1);
    vi.useRealTimers();
  });

  test('settles once', async () => {
    const settled = vi.fn();
    const operation = new Operation(undefined, undefined, settled);
    operation.resolve(1);
    operation.resolve(2);
    operation.reject(new Error('late'));
    operation.abandon(new Error('late'));
    await expect(operation.promise).resolves.toBe(1);
    expect(settled.mock.calls).toEqual([[undefined, false]]);
  });

  test('stops what is being done when it is abandoned, and only then', async () => {
    const stop = vi.fn();
    const abandoned = new Operation(undefined, undefined, () => {});
    abandoned.stop = stop;
    abandoned.abandon('enough');
    abandoned.abandon('again');
    await expect(abandoned.promise).rejects.toBe('enough');
    expect(stop.mock.calls).toEqual([['enough']]);

    const done = new Operation(undefined, undefined, () => {});
    done.stop = stop;
    done.resolve(1);
    done.abandon('late');
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test('follows its signal until it has settled', async () => {
    const controller = new AbortController();
    const operation = new Operation(controller.signal, undefined, () => {});
    controller.abort('enough');
    await expect(operation.promise).rejects.toBe('enough');
    expect(operation.settled).toBe(true);
  });

  test('has its time', async () => {
    vi.useFakeTimers();
    try {
      const late = new Operation(undefined, 100, () => {});
      const early = new Operation(undefined, 100, () => {});
      const endless = new Operation(undefined, Infinity, () => {});
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
