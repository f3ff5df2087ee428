/** Runs the packed library in Deno, Bun and workerd, and with OpenTelemetry, which are installed from the registry. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '../../scripts/run.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { canInstall, install } from '../setup/build/npm.ts';
import { pack } from './bundlers/package.ts';

/** The versions that docs/guides/in-process.md names, and that of Cloudflare's runtime in docs/guides/server.md. */
const RUNTIMES = ['deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1'];

/** A worker of one module. */
const WORKERD = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  modules = [(name = "edge", esModule = embed "edge-bundle.js")], compatibilityDate = "2026-11-01"))]);`;

const TELEMETRY = ['@opentelemetry/api@1.10.0', '@opentelemetry/sdk-trace-base@2.12.1'];

/** Records the spans of a decode and of a failed one, by the listener of the guide. */
const TRACED = (listener: string): string => `
  import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
  import { createDecoder } from 'unspool';
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('unspool');
  const decoder = createDecoder();
  Math.random = () => 0;
  ${listener}
  const begun = Date.now();
  await decoder.decode(new TextEncoder().encode('[{"id":1}]'));
  await decoder.decode(new TextEncoder().encode('[{"id":')).catch(() => {});
  const spans = exporter.getFinishedSpans().map(({ name, attributes, status, events, startTime, duration }) => ({
    name, attributes, status, events: events.map((event) => event.name), isNow: Math.abs(startTime[0] * 1000 - begun) < 60_000, isPast: duration[0] >= 0,
  }));
  console.log(JSON.stringify(spans));
`;

const isPossible = await canInstall();

let folder: string;

beforeAll(async () => {
  if (!isPossible) return;
  folder = await mkdtemp(join(tmpdir(), 'unspool-runtimes-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'application', private: true, type: 'module' }));
  await install(folder, `./${await pack(folder)}`, ...RUNTIMES, ...TELEMETRY);
  for (const name of ['application.mjs', 'edge.mjs']) await copyFile(join(import.meta.dirname, 'runtimes', name), join(folder, name));
});

afterAll(async () => {
  if (isPossible) await rm(folder, { recursive: true, force: true });
});

/** The binary of a runtime's package for this machine: the scripts that would link it do not run. */
async function binary(scope: string, path: string): Promise<string> {
  const scoped = join(folder, 'node_modules', scope);
  const [name] = (await readdir(scoped)).toSorted();
  return join(scoped, name!, path);
}

describe.skipIf(!isPossible)('the packed package', () => {
  it.each([
    ['Deno', '@deno', 'deno', ['run', '--allow-all', 'application.mjs']],
    ['Bun', '@oven', 'bin/bun', ['application.mjs']],
  ])('decodes, serves and encodes in %s, in slices and in threads, and lets the process end', async (_name, scope, path, options) => {
    const suffix = process.platform === 'win32' ? '.exe' : '';
    const run = promisify(execFile);
    const { stdout } = await run((await binary(scope, path)) + suffix, options, { cwd: folder, timeout: PATIENCE_MS });
    const trips = [20_000, { id: 0, station: 'Station 0', minutes: 0 }, { id: 19_999, station: 'Station 199', minutes: 9_999.5 }];
    const names = ['jsonAtOnce', 'messagepackAtOnce', 'inSlices', 'inThread', 'negotiated', 'plain', 'cursor', 'received', 'rows'];
    expect(JSON.parse(stdout)).toEqual({
      values: Object.fromEntries(names.map((name) => [name, trips])),
      routes: ['page', 'worker'],
      broken: 'truncated',
      type: 'application/vnd.msgpack',
      plainType: 'application/json',
      status: 201,
    });
  });

  it('decodes, answers and receives in a worker of workerd, bundled into one file', async () => {
    // As wrangler does.
    await build({
      entryPoints: [join(folder, 'edge.mjs')],
      outfile: join(folder, 'edge-bundle.js'),
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'silent',
    });
    await writeFile(join(folder, 'config.capnp'), WORKERD);
    const { stdout } = await promisify(execFile)(await binary('@cloudflare', 'bin/workerd'), ['test', join(folder, 'config.capnp')]);
    const list = [2_000, { id: 1_999, station: 'Station 199', minutes: 999.5 }];
    expect(JSON.parse(stdout)).toEqual({
      json: ['application/json', 'identity', ...list],
      sequence: ['application/x-ndjson', 'identity', ...list],
      messagepack: ['application/vnd.msgpack', 'identity', ...list],
      cbor: ['application/cbor', 'identity', ...list],
      protobuf: ['application/x-protobuf', 'identity', ...list],
      compressed: ['application/json', 'gzip', ...list],
      broken: [true, 400, "expected a key in double quotes but found '}' (json, byte 8)"],
      decoded: 2_000,
    });
  });

  it('reports decodes as spans of OpenTelemetry by the listener of the guide', async () => {
    const guide = await readFile(join(ROOT, 'docs/guides/in-process.md'), 'utf8');
    const [, listener] = /## Observing decodes[^]*?```ts\n([^]*?)```/.exec(guide)!;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', TRACED(listener!)], { cwd: folder });
    const span = { name: 'decode', isNow: true, isPast: true };
    const attributes = { format: 'json', route: 'page', longestSliceMs: expect.any(Number) as number };
    expect(JSON.parse(stdout)).toMatchObject([
      { ...span, attributes: { ...attributes, bytes: 10 }, status: { code: 0 }, events: [] },
      { ...span, attributes, status: { code: 2 }, events: ['exception'] },
    ]);
  });
});
