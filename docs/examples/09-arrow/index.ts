import { type Table, tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { createDecoder } from 'unspool';
import type { Trips } from './trip.ts';

const decoder = createDecoder();

/**
 * A list of records as an Arrow table, for charts and query engines. No record is built: numbers go from the decoded
 * columns into the table's as they are.
 */
export async function loadTable(url: string): Promise<Table> {
  const response = await decoder.fetch(url);
  const { trips } = await response.rows<Trips>();
  return tableFromArrays(trips.columns());
}

/** The bytes of an Arrow IPC stream: what DuckDB-Wasm, Perspective, Arquero and others take. */
export async function loadIpc(url: string): Promise<Uint8Array | null> {
  return tableToIPC(await loadTable(url), {});
}
