import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr';
import { createDecoder } from 'unspool';
import type { Trips } from './trip.ts';

const decoder = createDecoder();

/**
 * By default, SWR compares the whole new result with the whole old one in a single task whenever it revalidates. Here, the
 * decoder keeps the objects of what has not changed, so that the identity of a result says as much.
 */
const options: SWRConfiguration<Trips> = { compare: Object.is };

export function useTrips(url: string): SWRResponse<Trips> {
  const { cache } = useSWRConfig();
  const fetcher = async (): Promise<Trips> => {
    const response = await decoder.fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response.json<Trips>({ previous: cache.get(url)?.data });
  };
  return useSWR<Trips>(url, fetcher, options);
}
