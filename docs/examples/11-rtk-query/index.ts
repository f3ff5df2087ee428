import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query';
import { createDecoder } from 'unspool';
import type { Trip } from './trip.ts';

const decoder = createDecoder();

/** The part of the state that holds the results of queries. */
interface State {
  api: { queries: Record<string, { data?: unknown } | undefined> };
}

/**
 * `fetchBaseQuery` reads each response twice, once as text. This one decodes it in any format. With the last result of the same
 * query as `previous`, a refetch keeps the objects of what has not changed.
 */
const decodeBaseQuery: BaseQueryFn<string, unknown, { status: number; data: unknown }> = async (url, { signal, getState, queryCacheKey }) => {
  const response = await decoder.fetch(url, { signal });
  const last = queryCacheKey === undefined ? undefined : (getState() as State).api.queries[queryCacheKey];
  const data = await response.json<unknown>({ previous: last?.data });
  return response.ok ? { data } : { error: { status: response.status, data } };
};

export const api = createApi({
  baseQuery: decodeBaseQuery,
  endpoints: (build) => ({
    trips: build.query<{ trips: Trip[] }, string>({
      query: (url) => url,
      // Otherwise each refetch is compared with the last result in one task. The decoder has done so already.
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
