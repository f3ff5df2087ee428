import axios from 'axios';
import { createDecoder } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();
const api = axios.create({ adapter: 'fetch', responseType: 'stream', headers: { Accept: decoder.accept } });

/** An interceptor may be asynchronous, which `transformResponse` may not; the body is decoded while it arrives. */
api.interceptors.response.use(async (response) => {
  const type = response.headers['content-type'];
  const headers = typeof type === 'string' ? { 'Content-Type': type } : {};
  const body = new Response(response.data as ReadableStream<Uint8Array>, { headers });
  const { signal, url } = response.config;
  response.data = await decoder.decode(body, { signal: signal as AbortSignal | undefined, label: url });
  return response;
});

export async function loadTrips(url: string, signal: AbortSignal | null = null): Promise<Trip[]> {
  const { data } = await api.get<Trips>(url, { ...(signal && { signal }) });
  return data.trips;
}
