import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { createDecoder } from 'unspool';
import type { Trips } from '../trip.ts';

const decoder = createDecoder();

async function fetcher(url: string): Promise<Trips> {
  const response = await decoder.fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json<Trips>();
}

/**
 * By default, SWR compares the whole new result with the whole old one in a single task whenever it revalidates. Results
 * are new objects each time, so their identity says as much.
 */
const options: SWRConfiguration<Trips> = { compare: Object.is };

export function useTrips(url: string): SWRResponse<Trips> {
  return useSWR<Trips>(url, fetcher, options);
}
