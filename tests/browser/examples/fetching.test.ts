/** Examples that fetch, with the real libraries, from a server that sends MessagePack in chunks. */
import { describe, expect, test } from 'vitest';
import { loadTrips as withFetch } from '../../../docs/examples/01-fetch/index.ts';
import { loadTrips as withKy } from '../../../docs/examples/02-ky/index.ts';
import { loadTrips as withOfetch } from '../../../docs/examples/03-ofetch/index.ts';
import { loadTrips as withAxios } from '../../../docs/examples/04-axios/index.ts';
import { expectTrips } from './trips.ts';

describe.each([
  ['fetch', withFetch],
  ['ky', withKy],
  ['ofetch', withOfetch],
  ['axios', withAxios],
])('%s', (_, loadTrips) => {
  test.each(['/trips?rows=5000', '/trips.json?rows=5000'])('loads %s', async (url) => {
    expectTrips(await loadTrips(url), 5_000);
  });

  test('rejects for an error status', async () => {
    await expect(loadTrips('/missing')).rejects.toThrow(/404/);
  });

  test('rejects when its signal is aborted', async () => {
    const controller = new AbortController();
    const loading = loadTrips('/trips?rows=100000', controller.signal);
    controller.abort();
    await expect(loading).rejects.toThrow(/abort|cancel/i);
  });
});
