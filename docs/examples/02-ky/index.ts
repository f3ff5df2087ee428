import ky from 'ky';
import { createDecoder } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();
const api = ky.create({ fetch: decoder.fetch });

/**
 * ky's retries, hooks and errors. `decoder.decode` reads the response also where ky has put another around its body, as it does with
 * `onDownloadProgress`. The shortcut `api.get(url).json()` would parse JSON text itself.
 */
export async function loadTrips(url: string, signal: AbortSignal | null = null): Promise<Trip[]> {
  const { trips } = await decoder.decode<Trips>(await api.get(url, { signal }));
  return trips;
}
