import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { print } from 'graphql';
import { Observable } from 'rxjs';
import { createDecoder } from 'unspool';
import type { Trip } from './trip.ts';

const decoder = createDecoder();

/** `HttpLink` reads the response as text and parses that in one task. This link decodes it in any format. */
export function decodeLink(url: string): ApolloLink {
  return new ApolloLink(({ query, variables, operationName }) => {
    return new Observable((observer) => {
      const controller = new AbortController();
      const body = JSON.stringify({ query: print(query), variables, operationName });
      const headers = { 'Content-Type': 'application/json' };
      decoder
        .fetch(url, { method: 'POST', headers, body, signal: controller.signal })
        .then((response) => response.json<ApolloLink.Result>())
        .then(
          (result) => {
            observer.next(result);
            observer.complete();
          },
          (error: unknown) => observer.error(error),
        );
      return () => controller.abort();
    });
  });
}

/** Writing a result into the cache takes the page longer than decoding it. `no-cache` leaves that out. */
export async function loadTrips(url: string, rows: number): Promise<Trip[]> {
  const client = new ApolloClient({ link: decodeLink(url), cache: new InMemoryCache() });
  const { data } = await client.query<{ trips: Trip[] }>({
    query: gql`
      query Trips($rows: Int!) {
        trips(rows: $rows) {
          id
          station
          minutes
          member
        }
      }
    `,
    variables: { rows },
    fetchPolicy: 'no-cache',
  });
  return data!.trips;
}
