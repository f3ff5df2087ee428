// What `npm run test:witnesses` runs: see run.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AnyFormat } from '../../worker/formats/format.ts';
import { loadFormat } from '../../worker/formats/loaders.ts';
import type { FormatId } from '../../worker/formats/registry.ts';
import { checkCases } from './cases.ts';

/** By id the script that makes cases, the Python modules that it needs, and how many cases the repository keeps. */
const WITNESSES: Readonly<Record<string, { script: string; modules: readonly string[]; kept: number }>> = {
  messagepack: { script: 'messagepack_values.py', modules: ['msgpack'], kept: 300 },
  cbor: { script: 'cbor_values.py', modules: ['cbor2'], kept: 300 },
  bson: { script: 'bson_documents.py', modules: ['bson', 'pymongo'], kept: 200 },
  avro: { script: 'avro_data.py', modules: ['fastavro'], kept: 300 },
  protobuf: { script: 'protobuf_messages.py', modules: ['google.protobuf', 'grpc_tools'], kept: 2000 },
};

/** Output of a script. */
const MOST_OUTPUT = 1_000_000_000;
/** Differences that are shown. */
const SHOWN = 10;

/** Runs the witnesses that are there, of the repository in `root`. Returns the exit code. */
export async function run(root: string): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      count: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      python: { type: 'string', default: 'python3' },
      corpora: { type: 'string', default: process.env['UNSPOOL_CORPORA'] ?? join(root, '../shared/corpora') },
      keep: { type: 'boolean', default: false },
    },
  });
  const unknown = values.only.find((id) => !Object.hasOwn(WITNESSES, id));
  if (unknown !== undefined) throw new RangeError(`There is no witness ${unknown}; there are ${Object.keys(WITNESSES).join(', ')}.`);
  let faults = 0;
  for (const [id, { script, modules, kept }] of Object.entries(WITNESSES)) {
    if (values.only.length > 0 && !values.only.includes(id)) continue;
    const lacking =
      lacks(values.python, modules) ?? (id === 'protobuf' && !existsSync(values.corpora) ? `the corpora at ${values.corpora}` : undefined);
    if (lacking !== undefined) {
      console.log(`${id.padEnd(12)} skipped: ${lacking} is not there`);
      continue;
    }
    const [count, seed] = values.keep ? [kept, 1] : [values.count, values.seed];
    const settings = ['--count', String(count), '--seed', String(seed), '--corpora', values.corpora, ...(values.keep ? ['--keep'] : [])];
    const made = spawnSync(values.python, [join(root, 'tests/witnesses/python', script), ...settings], { encoding: 'utf8', maxBuffer: MOST_OUTPUT });
    if (made.status !== 0) throw new Error(`${script} failed: ${made.stderr || String(made.error)}`);
    if (values.keep) await writeFile(join(root, `tests/fixtures/witnesses/${id}.jsonl`), made.stdout);
    const load = async (format: string): Promise<AnyFormat> => await loadFormat(format as FormatId);
    const result = (await checkCases(made.stdout, load, (path) => readFile(join(values.corpora, path), 'utf8')))!;
    faults += result.faults.length;
    console.log(`${id.padEnd(12)} ${result.header.witness}, seed ${seed}: ${result.count} decodes, ${result.faults.length} differ`);
    for (const { case: item, actual } of result.faults.slice(0, SHOWN)) {
      console.error(
        `  ${item.schema ?? ''} ${item.hex}\n    witness ${item.error ? 'refuses it' : JSON.stringify(item.value)}\n    unspool ${JSON.stringify(actual)}`,
      );
    }
  }
  return faults > 0 ? 1 : 0;
}

/** What of the modules is not there. */
function lacks(python: string, modules: readonly string[]): string | undefined {
  for (const name of modules) {
    const { status, error } = spawnSync(python, ['-c', `import ${name}`]);
    if (error) return python;
    if (status !== 0) return `Python's module ${name}`;
  }
  return undefined;
}
