import { respond } from 'unspool/server';
import type { Trip } from './trip.ts';

/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/trips';

const trips = Array.from({ length: 5000 }, (_, id): Trip => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));

/** Answers in the format that the request accepts, or with 304 if the client has this version. */
export async function handle(request: Request): Promise<Response> {
  return await respond(request, { trips }, { etag: 'monday' });
}
