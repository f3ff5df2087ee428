// The part of the benchmark that measures keys and strings that were chosen to collide, in Node.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runBundled } from '../../tests/setup/build/bundled.mjs';
import { describeMachine } from '../machine.mjs';
import { align, duration } from '../table.mjs';

const REPORT = 'bench-report/flood.json';
const RECORDS = [20_000, 40_000];
const RUNS = 5;
/** How much longer colliding keys may take than others, if that is long at all: attacks take seconds. */
const MOST = 10;
const LONG_MS = 300;

/** @typedef {{ format: string, name: string, records: number, plainMs: number, collidingMs: number }} FloodResult as measure.ts has it */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} the status to end with
 */
export async function runFloods({ runs = RUNS, quick, json = REPORT }) {
  const machine = describeMachine();
  console.log(`Node ${process.version}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
  console.log('Records with keys, or strings, whose hashes are the same, and with others of the same length. Minima of runs that take turns.\n');
  /** @type {readonly FloodResult[]} */
  let results = [];
  await runBundled(
    new URL('measure.ts', import.meta.url),
    async (/** @type {{ measureFloods: (counts: number[], runs: number) => Promise<FloodResult[]> }} */ { measureFloods }) => {
      results = await measureFloods(quick ? RECORDS.slice(0, 1) : RECORDS, runs);
    },
  );
  const lines = results.map(({ format, name, records, plainMs, collidingMs }) => [
    format,
    name,
    records.toLocaleString('en'),
    duration(plainMs),
    duration(collidingMs),
    (collidingMs / plainMs).toFixed(2),
  ]);
  console.log(align([['', '', 'records', 'others', 'colliding', '÷'], ...lines]));
  await mkdir(dirname(json), { recursive: true });
  await writeFile(json, `${JSON.stringify({ machine, date: new Date().toISOString(), results }, null, 2)}\n`);
  const slow = results.filter(({ plainMs, collidingMs }) => collidingMs > plainMs * MOST && collidingMs > LONG_MS);
  for (const { format, name, records } of slow) console.error(`${format}, ${name}, ${records} records: more than ${MOST} times as long`);
  return slow.length > 0 ? 1 : 0;
}
