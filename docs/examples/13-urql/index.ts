import { Client, type Exchange, makeErrorResult, makeResult, type OperationResult, stringifyDocument } from '@urql/core';
import { createDecoder } from 'unspool';
import { filter, fromPromise, mergeMap, pipe, takeUntil } from 'wonka';
import type { Trip } from './trip.ts';

const decoder = createDecoder();

/** `fetchExchange` reads the response as text and parses that in one task. This exchange decodes it in any format. */
export const decodeExchange: Exchange = () => (operations) =>
  pipe(
    operations,
    filter(({ kind }) => kind === 'query' || kind === 'mutation'),
    mergeMap((operation) => {
      const controller = new AbortController();
      const run = async (): Promise<OperationResult> => {
        try {
          const body = JSON.stringify({ query: stringifyDocument(operation.query), variables: operation.variables });
          const headers = { 'Content-Type': 'application/json' };
          const response = await decoder.fetch(operation.context.url, { method: 'POST', headers, body, signal: controller.signal });
          return makeResult(operation, await response.json(), response);
        } catch (error) {
          return makeErrorResult(operation, error as Error);
        }
      };
      const left = pipe(
        operations,
        filter(({ kind, key }) => {
          const isLeft = kind === 'teardown' && key === operation.key;
          if (isLeft) controller.abort();
          return isLeft;
        }),
      );
      return pipe(fromPromise(run()), takeUntil(left));
    }),
  );

export async function loadTrips(url: string, rows: number): Promise<Trip[]> {
  const client = new Client({ url, exchanges: [decodeExchange], preferGetMethod: false });
  const query = 'query Trips($rows: Int!) { trips(rows: $rows) { id station minutes member } }';
  const { data, error } = await client.query<{ trips: Trip[] }>(query, { rows }).toPromise();
  if (!data) throw error ?? new Error('no data');
  return data.trips;
}
