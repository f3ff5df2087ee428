import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { respond } from 'unspool/server';
import type { Trip } from './trip.ts';

/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/trpc';

const t = initTRPC.create();

export const router = t.router({
  trips: t.procedure
    .input((rows) => Number(rows))
    .query(({ input }): Trip[] => {
      return Array.from({ length: input }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));
    }),
});

export type AppRouter = typeof router;

/** Answers calls in the format that the request accepts: tRPC makes JSON, which is short work to read on a server. */
export async function handle(request: Request): Promise<Response> {
  const response = await fetchRequestHandler({ endpoint: '/trpc', req: request, router });
  if (response.headers.get('content-type') !== 'application/json') return response;
  return await respond(request, await response.json(), { status: response.status });
}
