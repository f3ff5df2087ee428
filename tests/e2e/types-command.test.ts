/** Compiles what `npx unspool types` prints, with the values that Unspool decodes by default from payloads of each schema. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import avro from '../../core/formats/avro/index.ts';
import avroEncoder from '../../core/formats/avro/writer.ts';
import bebop from '../../core/formats/bebop/index.ts';
import bebopEncoder from '../../core/formats/bebop/writer.ts';
import capnproto from '../../core/formats/capnproto/index.ts';
import flatbuffers from '../../core/formats/flatbuffers/index.ts';
import jsBinary from '../../core/formats/jsbinary/index.ts';
import jsBinaryEncoder from '../../core/formats/jsbinary/writer.ts';
import protobuf from '../../core/formats/protobuf/index.ts';
import { ROOT } from '../../scripts/run.mjs';
import { compileSchema, decodeSync, encodeSync } from '../../main/sync.ts';

const run = promisify(execFile);
const FIXTURES = join(ROOT, 'tests/fixtures');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
let folder: string;

beforeAll(async () => {
  await mkdir(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, 'node_modules/.cache/types-command-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A value as an expression, with all that JSON lacks. */
function expression(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `Uint8Array.of(${value.join()})`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof Map) return `new Map([${[...value].map(([key, item]) => `[${expression(key)}, ${expression(item)}] as const`).join()}])`;
  if (Array.isArray(value)) return `[${value.map(expression).join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${expression(item)}`)
    .join()}}`;
}

/** Writes the types of a schema, and a file that gives values to its type. */
async function writeCase(name: string, args: readonly string[], type: string, values: readonly unknown[]): Promise<void> {
  await run(process.execPath, [join(ROOT, 'dist/cli.js'), 'types', ...args, '--out', join(folder, `${name}.ts`)]);
  const lines = values.map((value, index) => `export const value${index}: ${type} = ${expression(value)};\n`);
  await writeFile(join(folder, `${name}.values.ts`), `import type { ${type} } from './${name}.ts';\n${lines.join('')}`);
}

async function fixture(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(FIXTURES, path)));
}

function compile(): string {
  return spawnSync(process.execPath, [COMPILER, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' }).stdout;
}

it('the types of all schema languages fit the values that are decoded', async () => {
  const everything = { descriptorSet: await fixture('protobuf/everything.desc'), message: 'fixture.Everything' };
  const proto = await compileSchema(protobuf, everything);
  const messages = await Promise.all(['full', 'empty', 'special'].map((name) => fixture(`protobuf/${name}.bin`)));
  const ofProto = messages.map((bytes) => decodeSync(protobuf, bytes, { schema: proto, options: { partial: true } }));
  await writeCase('proto', [join(FIXTURES, 'protobuf/everything.proto')], 'Everything', ofProto);
  await writeCase('desc', [join(FIXTURES, 'protobuf/everything.desc'), '--type', 'fixture.Everything'], 'Everything', ofProto);

  const tables = await compileSchema(flatbuffers, { bfbs: await fixture('flatbuffers/everything.bfbs') });
  const buffers = await Promise.all(['full', 'empty'].map((name) => fixture(`flatbuffers/${name}.bin`)));
  await writeCase(
    'bfbs',
    [join(FIXTURES, 'flatbuffers/everything.bfbs')],
    'Everything',
    buffers.map((bytes) => decodeSync(flatbuffers, bytes, { schema: tables })),
  );

  const request = await fixture('capnproto/test.request');
  const structs = (await readdir(join(FIXTURES, 'capnproto/values')))
    .filter((name) => name.endsWith('.bin'))
    .map((name) => name.slice(0, -'.bin'.length));
  for (const struct of structs) {
    const schema = await compileSchema(capnproto, { request, struct });
    const value = decodeSync(capnproto, await fixture(`capnproto/values/${struct}.bin`), { schema });
    await writeCase(`capnp-${struct}`, [join(FIXTURES, 'capnproto/test.request'), '--type', struct], struct, [value]);
  }

  const bop = `enum Kind { Bike = 1; } struct Stop { date at; guid id; byte[] raw; map[uint32, float32[]] grid; int64 far; }
    message Trip { 1 -> Stop[] stops; 2 -> Kind kind; 3 -> Event event; }
    union Event { 1 -> struct Began { bool ok; } 2 -> message Ended { 1 -> string why; } }`;
  await writeFile(join(folder, 'trip.bop'), bop);
  const stop = { at: new Date(0), id: '9d2b0a4e-2f4c-4f8e-9a51-5d0b7f6c1e2d', raw: Uint8Array.of(1), grid: new Map([[1, [0.5]]]), far: 2n ** 60n };
  const records = [
    {},
    { stops: [stop, { ...stop, far: 1 }], kind: 7, event: { discriminator: 2, value: { why: 'x' } } },
    { event: { discriminator: 1, value: { ok: true } } },
  ];
  const ofBebop = { bop, record: 'Trip' };
  const bebopBytes = await Promise.all(
    records.map(async (record) => encodeSync(bebopEncoder, record, { schema: await compileSchema(bebopEncoder, ofBebop) })),
  );
  const bebopSchema = await compileSchema(bebop, ofBebop);
  await writeCase(
    'bop',
    [join(folder, 'trip.bop')],
    'Trip',
    bebopBytes.map((bytes) => decodeSync(bebop, bytes, { schema: bebopSchema })),
  );

  const avsc = {
    type: 'record',
    name: 'fleet.Trip',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'end', type: ['null', { type: 'long', logicalType: 'timestamp-millis' }] },
      { name: 'mixed', type: ['null', 'int', 'double', { type: 'enum', name: 'Kind', symbols: ['bike', 'foot'] }] },
      { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 6, scale: 2 } },
      { name: 'gap', type: { type: 'fixed', name: 'Gap', size: 12, logicalType: 'duration' } },
      { name: 'tags', type: { type: 'map', values: { type: 'array', items: 'string' } } },
      { name: 'next', type: ['null', 'fleet.Trip'] },
    ],
  } as const;
  await writeFile(join(folder, 'trip.avsc'), JSON.stringify(avsc));
  const gap = { months: 1, days: 2, milliseconds: 3 };
  const trip = { id: 1, end: null, mixed: null, price: '1.50', gap, tags: {}, next: null };
  const trips = [
    trip,
    { ...trip, id: 2n ** 60n, end: new Date(0), mixed: { 'fleet.Kind': 'foot' }, tags: { a: ['b'] }, next: { ...trip, mixed: { double: 0.5 } } },
  ];
  const avroBytes = await Promise.all(trips.map(async (value) => encodeSync(avroEncoder, value, { schema: await compileSchema(avroEncoder, avsc) })));
  const avroSchema = await compileSchema(avro, avsc);
  await writeCase(
    'avsc',
    [join(folder, 'trip.avsc')],
    'Trip',
    avroBytes.map((bytes) => decodeSync(avro, bytes, { schema: avroSchema })),
  );

  const literal = { id: 'uint', 'at?': 'date', path: [{ 'x y': 'float' }], any: 'json', match: 'regex', raw: 'Buffer' };
  await writeFile(join(folder, 'trip-log.json'), JSON.stringify(literal));
  const log = { id: 1, path: [{ 'x y': 1 }], any: { a: [1] }, match: /a/gi, raw: new Uint8Array(2) };
  const logBytes = await Promise.all(
    [log, { ...log, at: new Date(0) }].map(async (value) =>
      encodeSync(jsBinaryEncoder, value, { schema: await compileSchema(jsBinaryEncoder, literal) }),
    ),
  );
  const logSchema = await compileSchema(jsBinary, literal);
  await writeCase(
    'json',
    [join(folder, 'trip-log.json'), '--format', 'jsbinary'],
    'TripLog',
    logBytes.map((bytes) => decodeSync(jsBinary, bytes, { schema: logSchema })),
  );

  const ofStop = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/stop' } }, required: ['name'] };
  const ofPoint = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, items: false };
  const described = {
    type: 'object',
    required: ['id', 'at'],
    properties: { id: { type: 'integer' }, at: ofPoint, stop: { $ref: '#/$defs/stop' } },
    $defs: { stop: ofStop },
  };
  await writeFile(join(folder, 'trip.schema.json'), JSON.stringify(described));
  await writeCase('described', [join(folder, 'trip.schema.json')], 'Trip', [
    { id: 1, at: [1.5, 2] },
    { id: 2, at: [0, 0], stop: { name: 'Zoo', next: { name: 'Ost' } } },
  ]);

  // Types that took anything would say nothing.
  const wrong = [
    `import type { Trip } from './bop.ts'; export const a: Trip = { kinds: 1 };`,
    `import type { Trip } from './avsc.ts'; declare const trip: Trip; export const b: string = trip.id;`,
    `import type { Everything } from './bfbs.ts'; declare const all: Everything; export const c: string = all.text;`,
    `import type { Trip } from './described.ts'; export const e: Trip = { id: 1, at: [1] };`,
    `import type { TripLog } from './json.ts'; export const d: Pick<TripLog, 'id'> = {};`,
  ].map((line) => line.replace(/ export/, '\n// @ts-expect-error -- wrong\nexport'));
  await Promise.all(wrong.map((lines, index) => writeFile(join(folder, `wrong${index}.ts`), lines)));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  expect(compile()).toBe('');
});

it('a wrong call prints the usage or one line, and fails', () => {
  const call = (...args: string[]) => spawnSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], { encoding: 'utf8', cwd: folder });
  expect(call('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('unspool types <schema>') as string });
  expect(call('types')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Usage') as string });
  for (const file of ['none.proto', 'none.fbs']) {
    expect(call('types', file)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^unspool: .*none\.(?:proto|fbs).*\n$/) as string,
    });
  }
});
