/** Work on a value while the page is idle, before the value is first compared. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { recall } from '../../../../core/previous/remember.ts';
import { createDecoder } from '../../../../main/index.ts';

interface Trip {
  id: number;
  name: string;
  stops: { at: number }[];
}

const COUNT = 3_000;
const trips = (changed: readonly number[] = []): { trips: Trip[] } => ({
  trips: Array.from({ length: COUNT }, (_, id) => ({ id, name: `${changed.includes(id) ? 'changed' : 'trip'} ${id}`, stops: [{ at: id / 7 }] })),
});
const encode = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));
const decoder = createDecoder();

/** Decodes for the first time, and waits until the items were found ahead. */
async function decodeAndIdle(): Promise<{ trips: Trip[] }> {
  const first = await decoder.decode<{ trips: Trip[] }>(encode(trips()), { format: 'json', previous: undefined });
  await expect.poll(() => recall(first)!.root).toBeDefined();
  return first;
}

describe('the items of a value that was decoded with the option previous', () => {
  test('are found while nothing else happens, and used by the first comparison', async () => {
    const first = await decodeAndIdle();
    const { root } = recall(first)!;
    const changed = [7, 2_000];
    const second = await decoder.decode<{ trips: Trip[] }>(encode(trips(changed)), { format: 'json', previous: first });
    expect(second).toEqual(trips(changed));
    expect(second.trips.filter((trip, id) => trip !== first.trips[id]).map(({ id }) => id)).toEqual(changed);
    expect(recall(first)!.root).toBe(root);
  });

  test('are decoded as usual if the application has changed the value since they were found', async () => {
    for (const change of [
      ({ trips: [trip] }: { trips: Trip[] }): unknown => (trip!.name = 'mine'),
      ({ trips: [trip] }: { trips: Trip[] }): unknown => trip!.stops.push({ at: 1 }),
      ({ trips: list }: { trips: Trip[] }): unknown => (list.at(-1)!.id = -1),
    ]) {
      const first = await decodeAndIdle();
      change(first);
      const second = await decoder.decode<{ trips: Trip[] }>(encode(trips([7])), { format: 'json', previous: first });
      expect(second).toEqual(trips([7]));
      expect(second.trips[100]).not.toBe(first.trips[100]);
    }
  });

  test('are found by the comparison if it comes first', async () => {
    const first = await decoder.decode<{ trips: Trip[] }>(encode(trips()), { format: 'json', previous: undefined });
    const second = await decoder.decode<{ trips: Trip[] }>(encode(trips([7])), { format: 'json', previous: first });
    expect(second).toEqual(trips([7]));
    expect(second.trips[8]).toBe(first.trips[8]);
  });

  test('are also found of rows', async () => {
    const rows = await decoder.decode<Trip[]>(encode(trips().trips), { format: 'json', as: 'rows', previous: undefined });
    await expect.poll(() => recall(rows)!.root).toBeDefined();
    const at = rows.at(8);
    const next = await decoder.decode<Trip[]>(encode(trips([7]).trips), { format: 'json', as: 'rows', previous: rows });
    expect(next.at(8)).toBe(at);
    expect(next.toArray()).toEqual(trips([7]).trips);
  });

  test('are found while the page is idle, in as many callbacks as the time takes', async () => {
    const callbacks = vi.fn((callback: IdleRequestCallback) => {
      queueMicrotask(() => callback({ didTimeout: false, timeRemaining: () => 0 }));
      return 0;
    });
    vi.stubGlobal('requestIdleCallback', callbacks);
    onTestFinished(() => void vi.unstubAllGlobals());
    const many = Array.from({ length: 30 }, () => trips().trips).flat();
    const first = await decoder.decode<Trip[]>(encode(many), { format: 'json', previous: undefined });
    await expect.poll(() => recall(first)!.root).toBeDefined();
    expect(callbacks.mock.calls.length).toBeGreaterThan(3);
  });
});
