import { createFetch } from 'ofetch';
import { createDecoder } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();

/**
 * ofetch calls the method of the response that `responseType` names, and the responses of `decoder.fetch` have `decode`.
 * To ofetch's types it stands for JSON: the result has the type that the caller gives.
 */
const api = createFetch({ fetch: decoder.fetch, defaults: { responseType: 'decode' as 'json' } });

export async function loadTrips(url: string, signal: AbortSignal | null = null): Promise<Trip[]> {
  const { trips } = await api<Trips>(url, { signal });
  return trips;
}
