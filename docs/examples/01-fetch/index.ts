import { createDecoder } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();

/** `fetch` with one word more: `json()` takes any known format, and decodes it off the main thread. */
export async function loadTrips(url: string, signal: AbortSignal | null = null): Promise<Trip[]> {
  const response = await decoder.fetch(url, { signal });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const { trips } = await response.json<Trips>();
  return trips;
}
