import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DecodeSession } from '../../core/reading/decode.ts';
import type { AnyFormat } from '../../core/formats/format.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { resolveLimits } from '../../core/limits.ts';
import { RowSink } from '../../core/sinks/columns/rows.ts';
import { KernelPool } from '../../core/kernels/load.ts';
import { type BenchCase, documentCases, irregularCases, tripCases } from './cases.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '9' }, only: { type: 'string', default: '' } },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

/** Bytes of a slice, as a worker reads them. */
const SLICE = 1024 * 1024;
const limits = resolveLimits();
const kernels = KernelPool.create()!;

interface Run {
  cpu: number;
  kernelRows: number;
}

setFlagsFromString('--expose-gc');
/** What one run leaves behind must not burden the next. A collection of all would also take what V8 knows of the code. */
const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;
const collect = (): void => gc({ type: 'minor' });

/** Decodes into columns, in slices. */
function decode({ id, bytes, options = {}, raw }: BenchCase, format: AnyFormat, schema: unknown, withKernel: boolean): Run {
  const pool = kernels.of(format);
  const kernel = withKernel ? pool?.take() : undefined;
  collect();
  const begun = process.cpuUsage();
  const sink = new RowSink(() => {}, limits, { raw }, kernel);
  const session = new DecodeSession({ id, format, options, limits, schema }, sink);
  for (let at = 0; at < bytes.length; at += SLICE) session.push(bytes.subarray(at, at + SLICE));
  session.end();
  sink.finish();
  if (kernel) pool!.give(kernel);
  const { user, system } = process.cpuUsage(begun);
  return { cpu: (user + system) / 1000, kernelRows: sink.kernelRows };
}

console.log(`${rows} rows, minima of ${rounds} rounds, CPU milliseconds`);
console.log(
  `${'case'.padEnd(44)} ${'MB'.padStart(6)} ${'reader'.padStart(8)} ${'kernel'.padStart(8)} ${'ratio'.padStart(6)} ${'by kernel'.padStart(10)} ${'library'.padStart(8)}`,
);
for (const make of [...tripCases(rows), ...irregularCases(Math.round(rows / 2)), ...(await documentCases())]) {
  if (!make.name.includes(values.only)) continue;
  const given = await make.create();
  const format = await loadFormat(given.id);
  const schema = given.schema === undefined ? undefined : await format.compileSchema!(given.schema);
  let reader = Infinity;
  let kernel = Infinity;
  let library = Infinity;
  let kernelRows = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const withKernel of round % 2 === 0 ? [false, true] : [true, false]) {
      const run = decode(given, format, schema, withKernel);
      if (withKernel) kernel = Math.min(kernel, run.cpu);
      else reader = Math.min(reader, run.cpu);
      kernelRows += run.kernelRows;
    }
    if (given.library) {
      collect();
      const begun = process.cpuUsage();
      given.library(given.bytes);
      const { user, system } = process.cpuUsage(begun);
      library = Math.min(library, (user + system) / 1000);
    }
  }
  const share = `${Math.round((100 * kernelRows) / given.rows / rounds)} %`;
  const ofLibrary = library === Infinity ? '' : (kernel / library).toFixed(2);
  console.log(
    `${make.name.padEnd(44)} ${(given.bytes.length / 1e6).toFixed(1).padStart(6)} ${reader.toFixed(1).padStart(8)} ${kernel.toFixed(1).padStart(8)} ${(kernel / reader).toFixed(2).padStart(6)} ${share.padStart(10)} ${ofLibrary.padStart(8)}`,
  );
}
