import { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm';
import { WANTED } from '../operations.js';

/** @param {{ ipc: Uint8Array }} data */
export async function open({ ipc }) {
  const database = new AsyncDuckDB(new VoidLogger(), new Worker('/duckdb/duckdb-browser-eh.worker.js'));
  await database.instantiate(new URL('/duckdb/duckdb-eh.wasm', location.href).href);
  const connection = await database.connect();
  await connection.insertArrowFromIPCStream(ipc, { name: 'trips', create: true });
  const rows = async (/** @type {string} */ query) => (await connection.query(query)).getChildAt(0)?.toArray() ?? [];
  const filter = `select rowid from trips where member_casual = '${WANTED.member}' and start_lat >= ${WANTED.north}`;
  return {
    // The rows' numbers, as for a view; the first and last value are not read.
    /** @param {string} key */
    sort: async (key) => ({ length: (await rows(`select rowid from trips order by ${key}`)).length, first: undefined, last: undefined }),
    condition: async () => (await rows(filter)).length,
    predicate: undefined,
    /** @param {string} key */
    group: async (key) => Number((await rows(`select count(*) as count from trips group by ${key} order by count desc`))[0]),
  };
}
