import { describe, expect, it, vi } from 'vitest';
import { respond } from '../../../../main/server.ts';
import { EncodeError } from '../../../../main/encode.ts';

const trips = [{ id: 1 }, { id: 2 }];

function get(headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { headers });
}

describe('the value of a response', () => {
  it('is awaited if it is a promise, and called for if it is a function', async () => {
    for (const value of [Promise.resolve(trips), () => trips, async () => await Promise.resolve(trips)]) {
      expect(await (await respond(get(), value)).json()).toEqual(trips);
    }
  });

  it('rejects with the error of a promise or a function', async () => {
    const error = new Error('no database');
    await expect(respond(get(), Promise.reject(error))).rejects.toBe(error);
    const fails = (): unknown => {
      throw error;
    };
    await expect(respond(get(), fails)).rejects.toBe(error);
  });

  it('is not called for if the client has the version, whatever its kind', async () => {
    for (const [accept, make] of [
      ['application/json', () => ({ trips })],
      ['application/x-ndjson', () => trips],
      ['application/cbor-seq', () => trips.values()],
    ] as const) {
      const value = vi.fn<() => unknown>(make);
      const first = await respond(get({ accept }), value, { etag: 'v1' });
      const tag = first.headers.get('etag')!;
      const again = await respond(get({ accept, 'if-none-match': tag }), value, { etag: 'v1' });
      expect([first.status, again.status, again.headers.get('etag')]).toEqual([200, 304, tag]);
      expect(value).toHaveBeenCalledTimes(1);
      expect((await respond(get({ accept, 'if-none-match': tag }), value, { etag: 'v2' })).status).toBe(200);
      expect(value).toHaveBeenCalledTimes(2);
    }
  });

  it('is refused if it holds a promise', async () => {
    await expect(respond(get(), { trips: Promise.resolve(trips) })).rejects.toThrow(EncodeError);
    await expect(respond(get(), { trips: Promise.resolve(trips) })).rejects.toThrow('a Promise: await it');
  });
});
