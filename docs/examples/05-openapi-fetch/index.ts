import createClient, { type Middleware } from 'openapi-fetch';
import { createDecoder } from 'unspool';
import type { Trip } from './trip.ts';

/** As openapi-typescript writes it from the API's description. */
export interface paths {
  '/trips': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: { query?: { rows?: number }; header?: never; path?: never; cookie?: never };
      responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': { trips: Trip[] } } } };
    };
  };
}

const decoder = createDecoder();

/**
 * openapi-fetch calls the method of the response that `parseAs` names, and the responses of `decoder.fetch` have
 * `decode`. To its types it stands for JSON, so that the data have the type of the description. With `json` itself,
 * openapi-fetch would parse the text of a response without Content-Length on its own.
 */
const decoded = { parseAs: 'decode' as 'json' };

/** openapi-fetch reads the body of a failed response as text, which one in a binary format is not: it gets the same value as JSON. */
const errors: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    const text = await decoder.decode(response.clone()).then(JSON.stringify, () => undefined);
    const { status, statusText } = response;
    return text === undefined ? undefined : new Response(text, { status, statusText, headers: { 'content-type': 'application/json' } });
  },
};

export async function loadTrips(baseUrl: string, rows: number): Promise<Trip[]> {
  const api = createClient<paths>({ baseUrl, fetch: decoder.fetch });
  api.use(errors);
  const { data, response } = await api.GET('/trips', { params: { query: { rows } }, ...decoded });
  if (!data) throw new Error(`${response.url}: ${response.status}`);
  return data.trips;
}
