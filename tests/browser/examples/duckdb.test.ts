import { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm';
import script from '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?raw';
import wasm from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url';
import { expect, onTestFinished, test } from 'vitest';
import { countByStation, insertTrips } from '../../../docs/examples/27-duckdb/index.ts';
import type { Trips } from '../../../docs/examples/01-fetch/trip.ts';
import { createDecoder, isRows } from '../../../main/index.ts';

// 34 MB of WebAssembly: one engine is enough.
const inChrome = test.runIf(navigator.userAgent.includes('Chrome'));

inChrome('DuckDB takes a view of rows as a table, and gives the result of a query as rows', async () => {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  onTestFinished(() => worker.terminate());
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  await database.instantiate(new URL(wasm, location.href).href);
  const connection = await database.connect();
  const { trips } = await (await createDecoder().fetch('/trips?rows=5000')).rows<Trips>();
  const members = await trips.filter({ member: true });
  await insertTrips(connection, members);
  const counts = await countByStation(connection);
  expect(isRows(counts)).toBe(true);
  const groups = [...(await members.groupBy('station'))].toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect(counts.toArray()).toEqual(
    groups.map(([station, group]) => ({ station, trips: group.length, longest: Math.max(...group.column('minutes', { as: 'float64' })) })),
  );
});
