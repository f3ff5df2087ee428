/** Use of `previous` in GraphQL clients, as the table of docs/guides/refetching.md describes it. */
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { cacheExchange, Client, type Exchange, makeResult } from '@urql/core';
import { Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { filter, map, pipe } from 'wonka';
import json from '../../../core/formats/json/index.ts';
import { decodeSync } from '../../../main/sync.ts';

interface Trips {
  trips: { id: number; name: string }[];
}
interface Body {
  data: Trips;
}

/** Decodes one response after another: the name of the second trip differs in each. */
function server(): () => Body {
  let previous: Body | undefined;
  let version = 0;
  return () => {
    version += 1;
    const trips = [0, 1, 2].map((id) => ({ __typename: 'Trip', id, name: id === 1 ? `version ${version}` : 'trip' }));
    previous = decodeSync<Body>(json, new TextEncoder().encode(JSON.stringify({ data: { trips } })), { previous });
    return previous;
  };
}

const kept = (before: Trips, after: Trips): boolean[] => after.trips.map((trip, index) => trip === before.trips[index]);

test.each(['no-cache', 'network-only'] as const)('Apollo Client gives out decoded objects only without its cache: %s', async (fetchPolicy) => {
  const answer = server();
  const bodies: Body[] = [];
  const link = new ApolloLink(() => {
    return new Observable((observer) => {
      bodies.push(answer());
      observer.next({ data: { ...bodies.at(-1)!.data } });
      observer.complete();
    });
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const query = gql`
    query Trips {
      trips {
        id
        name
      }
    }
  `;
  const first = (await client.query<Trips>({ query, fetchPolicy })).data!;
  const second = (await client.query<Trips>({ query, fetchPolicy })).data!;
  expect(second.trips[1]!.name).toBe('version 2');
  expect(second.trips[0] === bodies[1]!.data.trips[0]).toBe(fetchPolicy === 'no-cache');
  // Its cache keeps entities that are equal, whatever objects it is given.
  expect(kept(first, second)).toEqual([true, false, true]);
});

test('urql with its document cache gives out decoded objects', async () => {
  const answer = server();
  const exchange: Exchange = () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind === 'query'),
      map((operation) => makeResult(operation, answer())),
    );
  const client = new Client({ url: 'https://example.org/', exchanges: [cacheExchange, exchange], preferGetMethod: false });
  const load = async (): Promise<Trips> =>
    (await client.query<Trips>('query Trips { trips { id name __typename } }', {}, { requestPolicy: 'network-only' }).toPromise()).data!;
  const first = await load();
  const second = await load();
  expect(second.trips[1]!.name).toBe('version 2');
  expect(kept(first, second)).toEqual([true, false, true]);
});
