import { createTRPCClient, httpLink } from '@trpc/client';
import { createDecoder } from 'unspool';
import type { AppRouter } from './server.ts';
import type { Trip } from './trip.ts';

const decoder = createDecoder();

/**
 * `httpLink` and `httpBatchLink` call `json()` of the response. `httpBatchStreamLink` reads the lines of its own protocol
 * with `JSON.parse`, so use it for small results only.
 */
export async function loadTrips(origin: string, rows: number): Promise<Trip[]> {
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${origin}/trpc`, fetch: (url, init) => decoder.fetch(url, init as RequestInit) })],
  });
  return await client.trips.query(rows);
}
