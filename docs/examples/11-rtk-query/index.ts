import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query';
import { createDecoder } from 'unspool';
import type { Trip } from './trip.ts';

const decoder = createDecoder();

/** `fetchBaseQuery` reads each response twice, once as text. This one decodes it in any format. */
const decodeBaseQuery: BaseQueryFn<string, unknown, { status: number; data: unknown }> = async (url, { signal }) => {
  const response = await decoder.fetch(url, { signal });
  const data = await response.json<unknown>();
  return response.ok ? { data } : { error: { status: response.status, data } };
};

export const api = createApi({
  baseQuery: decodeBaseQuery,
  endpoints: (build) => ({
    trips: build.query<{ trips: Trip[] }, string>({
      query: (url) => url,
      // Otherwise each refetch is compared with the last result in one task.
      structuralSharing: false,
    }),
  }),
});

/** The development middlewares traverse the whole state after each action. */
export const store = configureStore({
  reducer: combineReducers({ [api.reducerPath]: api.reducer }),
  middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }).concat(api.middleware),
});

export async function loadTrips(url: string): Promise<Trip[]> {
  const { trips } = await store.dispatch(api.endpoints.trips.initiate(url)).unwrap();
  return trips;
}
