import { createConnectRouter } from '@connectrpc/connect';
import { createFetchHandler } from '@connectrpc/connect/protocol';
import { TripService } from './trips_pb.ts';

/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/transit.v1.TripService/';

function* trips(rows: number): Generator<{ id: number; station: string; minutes: number; member: boolean }> {
  for (let id = 0; id < rows; id += 1) yield { id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 };
}

const { handlers } = createConnectRouter().service(TripService, {
  load: ({ rows }) => ({ trips: [...trips(rows)] }),
  async *watch({ rows }) {
    yield* trips(rows);
  },
});

const byPath = new Map(handlers.map((handler) => [handler.requestPath, createFetchHandler(handler)]));

/** Answers calls of Connect, gRPC and gRPC-web. */
export async function handle(request: Request): Promise<Response> {
  const handler = byPath.get(new URL(request.url).pathname);
  return handler ? await handler(request) : new Response(null, { status: 404 });
}
