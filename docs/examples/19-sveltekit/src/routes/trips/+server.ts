import { respond } from 'unspool/server';

export function GET({ request }: { request: Request }): Promise<Response> {
  const trips = Array.from({ length: 5000 }, (_, id) => ({ id, station: `Station ${id % 300}` }));
  return respond(request, { trips });
}
