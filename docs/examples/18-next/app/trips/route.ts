import { respond } from 'unspool/server';

/** The answer depends on the Accept header. */
export const dynamic = 'force-dynamic';

export function GET(request: Request): Promise<Response> {
  const trips = Array.from({ length: 5000 }, (_, id) => ({ id, station: `Station ${id % 300}` }));
  return respond(request, { trips });
}
