// `npm run fuzz:guided [-- --format ID] [--seconds N] [--jazzer FOLDER]`: searches with Jazzer.js, a coverage-guided fuzzer, for
// inputs without a value or typed error, or that take too much time or memory. Jazzer.js is installed apart from the other
// dependencies, by `npm ci --ignore-scripts --prefix tests/fuzz/jazzer`, or in the named folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { FORMATS } from '../../scripts/formats.mjs';

const MAX_BYTES = 4096;
const MAX_SECONDS = 5;
const MAX_MEGABYTES = 2048;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: FORMATS },
    seconds: { type: 'string', default: '600' },
    jazzer: { type: 'string', default: join(ROOT, 'tests/fuzz/jazzer') },
  },
});
process.exitCode = await main();

async function main() {
  const program = join(values.jazzer, 'node_modules/@jazzer.js/core/dist/cli.js');
  if (!existsSync(program)) {
    console.log('skipped: Jazzer.js is not installed: run npm ci --ignore-scripts --prefix tests/fuzz/jazzer');
    return 0;
  }
  const { version } = createRequire(join(values.jazzer, 'package.json'))('@jazzer.js/core/package.json');
  // Inside node_modules, so that external packages resolve.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.guided-'));
  const work = mkdtempSync(join(tmpdir(), 'unspool-guided-'));
  let findings = 0;
  try {
    const target = join(folder, 'guided-target.mjs');
    const entryPoints = [fileURLToPath(new URL('guided-target.ts', import.meta.url))];
    await build({
      entryPoints,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'es2023',
      logLevel: 'error',
    });
    console.log(`Jazzer.js ${version}, Node ${process.version}`);
    for (const id of values.format) findings += await fuzz(id, program, target, work);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(work, { recursive: true });
  }
  return findings > 0 ? 1 : 0;
}

/**
 * @param {string} id
 * @param {string} program
 * @param {string} target
 * @param {string} work
 * @returns {Promise<number>} number of findings
 */
async function fuzz(id, program, target, work) {
  const [corpus, found] = ['corpus', 'found'].map((name) => join(work, `${id}-${name}`));
  for (const path of [corpus, found]) mkdirSync(/** @type {string} */ (path));
  process.env['UNSPOOL_FUZZ'] = id;
  const { seeds } = await import(`${pathToFileURL(target).href}?${id}`);
  for (const [index, seed] of seeds().entries()) writeFileSync(join(/** @type {string} */ (corpus), String(index)), seed);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      program,
      target,
      /** @type {string} */ (corpus),
      '--sync',
      '--includes',
      basename(dirname(target)),
      '--excludes',
      'nothing',
      '--disableBugDetectors',
      '.*',
      '--',
      `-max_total_time=${values.seconds}`,
      `-max_len=${MAX_BYTES}`,
      `-timeout=${MAX_SECONDS}`,
      `-rss_limit_mb=${MAX_MEGABYTES}`,
      `-artifact_prefix=${found}/`,
    ],
    { encoding: 'utf8', maxBuffer: 1_000_000_000 },
  );
  const runs = /Done (\d+) runs/.exec(stderr)?.[1] ?? [...stderr.matchAll(/^#(\d+)\s/gm)].at(-1)?.[1] ?? '0';
  const covered = [...stderr.matchAll(/\bcov: (\d+)/g)].at(-1)?.[1] ?? '0';
  const inputs = readdirSync(/** @type {string} */ (found));
  console.log(`${id.padEnd(12)} ${Number(runs).toLocaleString('en')} inputs, ${covered} edges, ${inputs.length} findings`);
  for (const name of inputs) console.error(`  ${name}: ${readFileSync(join(/** @type {string} */ (found), name)).toString('hex')}`);
  if (status !== 0) console.error(stderr.split('\n').slice(-40).join('\n'));
  return status === 0 ? inputs.length : Math.max(inputs.length, 1);
}
