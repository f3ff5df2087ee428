// What `npm run fuzz` runs: see run.mjs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadFormat } from '../../worker/formats/loaders.ts';
import { loadWriter } from '../../worker/formats/writers.ts';
import { type FormatId, FORMATS } from '../../worker/formats/registry.ts';
import { fuzz, subjectOf } from './fuzz.ts';
import { fuzzRoundTrips } from './round-trips.ts';
import { fuzzSchemas, schemaLanguages } from './schemas.ts';

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
  if (!FORMATS.some((known) => known.id === id)) throw new RangeError(`There is no format ${id}.`);
  const [format, subject] = await Promise.all([loadFormat(id), subjectOf(id)]);
  const start = performance.now();
  const result = await fuzz(format, subject, count, Number(values.seed));
  faults += result.faults.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${id.padEnd(12)} ${result.good} decoded, ${result.refused} refused, ${result.faults.length} faults, ${seconds} s`);
  for (const fault of result.faults) console.error(fault);
}

// Values are written and read again besides being read.
for (const id of ids) {
  const [format, writer, subject] = await Promise.all([loadFormat(id), loadWriter(id), subjectOf(id)]);
  const start = performance.now();
  const result = fuzzRoundTrips(id, format, writer, subject, Math.ceil(count / 4), Number(values.seed));
  faults += result.faults.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${id.padEnd(12)} ${result.good} written and read again, ${result.refused} refused, ${result.faults.length} faults, ${seconds} s`);
  for (const fault of result.faults) console.error(fault);
}

// Schemas take longer than payloads, so that fewer are tried.
const languages = await schemaLanguages(async (path) => new Uint8Array(await readFile(join(process.cwd(), 'tests/fixtures', path))));
for (const language of languages.filter(({ format }) => ids.includes(format))) {
  const start = performance.now();
  const result = await fuzzSchemas(language, Math.ceil(count / 20), Number(values.seed));
  faults += result.faults.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const name = `${language.format}: ${language.name}`;
  console.log(`${name.padEnd(12)} ${result.good} compiled, ${result.refused} refused, ${result.faults.length} faults, ${seconds} s`);
  for (const fault of result.faults) console.error(fault);
}
process.exitCode = faults > 0 ? 1 : 0;
