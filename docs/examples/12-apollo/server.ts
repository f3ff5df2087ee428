import { buildSchema, graphql } from 'graphql';
import { receive, respond } from 'unspool/server';
import type { Trip } from './trip.ts';

/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/graphql';

const schema = buildSchema(`
  type Trip { id: Int! station: String! minutes: Float! member: Boolean! }
  type Query { trips(rows: Int!): [Trip!]! }
`);

const root = {
  trips: ({ rows }: { rows: number }): Trip[] =>
    Array.from({ length: rows }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 })),
};

/** Answers GraphQL in the format that the request accepts. */
export async function handle(request: Request): Promise<Response> {
  const { query, variables } = await receive<{ query: string; variables?: Record<string, unknown> }>(request);
  return await respond(request, await graphql({ schema, source: query, variableValues: variables ?? {}, rootValue: root }));
}
