// Implements `npm run test:witnesses`: see run.mjs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadFormat } from '../../core/formats/loaders.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { checkCases } from './cases.ts';
import { TOOLS } from './tools.ts';
import { checkWritten } from './written.ts';
import { type Asked, type Command, outputOf, WITNESSES } from './witnesses.ts';

/** Number of printed differences. */
const SHOWN = 10;

/** Runs the installed reference implementations for the repository in `root`. Returns the exit code. */
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
  const { only, python, corpora, keep } = values;
  const ids = [...Object.keys(WITNESSES), ...Object.keys(TOOLS)];
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new RangeError(`There is no witness ${unknown}; there are ${ids.join(', ')}.`);
  const chosen = (id: string): boolean => only.length === 0 || only.includes(id);
  const [count, seed] = [Number(values.count), Number(values.seed)];
  let faults = 0;
  for (const [id, witness] of Object.entries(WITNESSES)) {
    if (!chosen(id)) continue;
    const asked: Asked = { root, python, corpora, ...(keep ? { count: witness.kept, seed: 1, keep } : { count, seed, keep }) };
    const missing = witness.missing(asked);
    if (missing !== undefined) {
      console.log(`${id.padEnd(16)} skipped: ${missing} missing`);
      continue;
    }
    const text = outputOf(witness.make(asked));
    if (keep) await writeFile(join(root, `tests/fixtures/witnesses/${id}.jsonl`), text);
    faults += await compare(id, text, witness.read(asked), (path) => readFile(join(corpora, path), 'utf8'));
  }
  for (const [id, compareWith] of Object.entries(TOOLS)) {
    if (!chosen(id)) continue;
    const result = await compareWith(root, count, seed);
    if (!result) {
      console.log(`${id.padEnd(16)} skipped: the program ${id} is missing`);
      continue;
    }
    faults += result.faults.length;
    console.log(`${id.padEnd(16)} ${result.version}, seed ${seed}: ${result.count} values in both directions, ${result.faults.length} differ`);
    for (const fault of result.faults.slice(0, SHOWN)) console.error(`  ${id} ${fault}`);
  }
  return faults > 0 ? 1 : 0;
}

/** Decodes the bytes of a reference implementation, writes the values again and lets it read them. Returns the number of differences. */
async function compare(id: string, text: string, read: Command, readCorpus: (path: string) => Promise<string>): Promise<number> {
  const decoded = (await checkCases(text, (format) => loadFormat(format as FormatId), readCorpus))!;
  const { witness, format, seed } = decoded.header;
  console.log(`${id.padEnd(16)} ${witness}, seed ${seed}: ${decoded.count} decodes, ${decoded.faults.length} differ`);
  for (const { case: item, actual } of decoded.faults.slice(0, SHOWN)) {
    const expected = item.error ? 'refuses it' : JSON.stringify(item.value);
    console.error(`  ${item.schema ?? ''} ${item.hex}\n    witness ${expected}\n    unspool ${JSON.stringify(actual)}`);
  }
  const code = { format: await loadFormat(format as FormatId), writer: await loadWriter(format as FormatId), readCorpus };
  const written = await checkWritten(text, code, read);
  console.log(`${''.padEnd(16)} reads what Unspool writes: ${written.count} values, ${written.faults.length} differ`);
  for (const { original, written: bytes, found } of written.faults.slice(0, SHOWN)) {
    console.error(`  ${original}\n    written as ${bytes}\n    read as ${found}`);
  }
  return decoded.faults.length + written.faults.length;
}
