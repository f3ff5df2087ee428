// What `npm run fuzz` runs: see run.mjs.
import { parseArgs } from 'node:util';
import { type FormatId, FORMATS } from '../../worker/formats/registry.ts';
import { fuzz, subjectOf } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const count = Number(values.count);
const ids = values.format.length > 0 ? (values.format as FormatId[]) : FORMATS.map(({ id }) => id);

let faults = 0;
for (const id of ids) {
  const entry = FORMATS.find((known) => known.id === id);
  if (!entry) throw new RangeError(`There is no format ${id}.`);
  const [{ default: format }, subject] = await Promise.all([entry.load(), subjectOf(id)]);
  const start = performance.now();
  const result = await fuzz(format, subject, count, Number(values.seed));
  faults += result.faults.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${id.padEnd(12)} ${result.good} decoded, ${result.refused} refused, ${result.faults.length} faults, ${seconds} s`);
  for (const fault of result.faults) console.error(fault);
}
process.exitCode = faults > 0 ? 1 : 0;
