import { respond } from 'unspool/server';
import type { Trip } from './trip.ts';

/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/trips';

let version = 0;

/** Answers with 5,000 trips, in the format that the request accepts. Each answer has other minutes in every hundredth trip. */
export async function handle(request: Request): Promise<Response> {
  const trips = Array.from({ length: 5000 }, (_, id): Trip => ({
    id,
    station: `Station ${id % 300}`,
    minutes: id / 2 + (id % 100 === 0 ? version : 0),
    member: id % 3 > 0,
  }));
  version += 1;
  return await respond(request, { trips });
}
