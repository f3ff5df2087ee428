import ky from 'ky';
import { createDecoder } from 'unspool';
import type { Trip, Trips } from '../trip.ts';

const decoder = createDecoder();
const api = ky.create({ fetch: decoder.fetch });

/** ky's retries, hooks and errors, and the response's own `json()`: `api.get(url).json()` would parse JSON text itself. */
export async function loadTrips(url: string, signal: AbortSignal | null = null): Promise<Trip[]> {
  const response = await api.get(url, { signal });
  const { trips } = await response.json<Trips>();
  return trips;
}
