import { QueryClient, type QueryFunctionContext, type QueryObserverOptions } from '@tanstack/query-core';
import { createDecoder } from 'unspool';
import type { Trips } from './trip.ts';

const decoder = createDecoder();

export const queries = new QueryClient();

/**
 * Options for `fetchQuery`, a `QueryObserver`, and `useQuery` of every framework.
 *
 * By default, each refetch compares the whole new result with the whole old one in a single task, to keep the identity of
 * what did not change ("structural sharing"). Here, the decoder does that while it decodes: with `previous`, what has the
 * same bytes is the same object.
 */
export function tripsQuery(url: string): Pick<QueryObserverOptions<Trips>, 'structuralSharing'> & {
  queryKey: string[];
  queryFn: (context: QueryFunctionContext) => Promise<Trips>;
} {
  return {
    queryKey: ['trips', url],
    queryFn: async ({ signal, client, queryKey }) => {
      const response = await decoder.fetch(url, { signal });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      return response.json<Trips>({ previous: client.getQueryData(queryKey) });
    },
    structuralSharing: false,
  };
}
