/** `npx unspool` on payloads: prints, converts and measures files and pipes, as the built command does. */
import { execFile, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { tableFromIPC } from 'apache-arrow';
import avro from 'avsc';
import { decode as decodeCbor, encode as encodeCbor } from 'cbor-x';
import { unpack } from 'msgpackr';
import protobufjs from 'protobufjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';

const CLI = join(ROOT, 'dist/cli.js');
const trips = Array.from({ length: 3_000 }, (_, id) => ({ id, station: `Station ${id % 30}`, minutes: id / 4, member: id % 3 > 0 }));
const FIELDS = { id: 'int', station: 'string', minutes: 'double', member: 'boolean' };
const avsc = { type: 'record', name: 'Trip', fields: Object.entries(FIELDS).map(([name, type]) => ({ name, type })) };
const PROTO = 'syntax = "proto3"; message Trip { int32 id = 1; string station = 2; double minutes = 3; bool member = 4; }';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-command-'));
  const files = {
    'trips.json': JSON.stringify(trips),
    'trips.ndjson': trips.map((trip) => JSON.stringify(trip)).join('\n'),
    'trips.cbor': encodeCbor(trips),
    'trip.json': JSON.stringify(trips[7]),
    'trip.avsc': JSON.stringify(avsc),
    'trip.proto': PROTO,
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** Runs the command in the folder of the payloads, with a file or nothing as its standard input. */
function unspool(args: readonly string[], input?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, status: typeof error?.code === 'number' ? error.code : 0 }),
    );
    if (input === undefined) child.stdin!.end();
    else createReadStream(join(folder, input)).pipe(child.stdin!);
  });
}

const written = (name: string): Promise<Buffer> => readFile(join(folder, name));

describe('unspool <payload>', () => {
  it.each(['trips.json', 'trips.ndjson', 'trips.cbor'])('prints %s as JSON, as a file and from a pipe that does not say its format', async (name) => {
    for (const outcome of [await unspool([name]), await unspool([], name), await unspool(['-'], name)]) {
      expect(outcome.stderr).toBe('');
      expect(outcome.stdout.at(-1)).toBe('\n');
      expect(JSON.parse(outcome.stdout)).toEqual(trips);
    }
  });

  it('prints a message by its schema', async () => {
    await writeFile(join(folder, 'trip.pb'), protobufjs.parse(PROTO).root.lookupType('Trip').encode(trips[7]!).finish());
    const { stdout } = await unspool(['trip.pb', '--schema', 'trip.proto', '--type', 'Trip']);
    expect(JSON.parse(stdout)).toEqual(trips[7]);
    const { stderr, status } = await unspool(['trip.pb', '--schema', 'trip.proto']);
    expect([stderr, status]).toEqual(['unspool: the schema has several types: add --type with that of the payload\n', 1]);
  });

  it('ends without a complaint when the reader of its output stops', async () => {
    const child = spawn(process.execPath, [CLI, 'trips.json'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors = text(child.stderr);
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, await errors]).toEqual([0, '']);
  });

  it.each([
    [['absent.json'], /^unspool: ENOENT: no such file or directory, open 'absent\.json'\n$/],
    [['trips.cbor', '--from', 'mesagepack'], /^unspool: unknown format mesagepack; did you mean messagepack\?/],
    [['trips.json', '--from', 'cbor'], /^unspool: .*\(cbor, byte \d+\)\n$/],
  ])('says what is wrong with %j, and has the status 1', async (args, message) => {
    const { stdout, stderr, status } = await unspool(args);
    expect(stderr).toMatch(message);
    expect([stdout, status]).toEqual(['', 1]);
  });

  it('says that a pipe is empty or holds a page', async () => {
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'page'), '<!doctype html><title>Gone</title>');
    expect((await unspool([], 'empty')).stderr).toBe('unspool: the payload is empty (byte 0)\n');
    expect((await unspool([], 'page')).stderr).toBe('unspool: the payload is an HTML or XML document (byte 0)\n');
  });
});

describe('unspool convert', () => {
  it('writes what the libraries of the formats read', async () => {
    for (const name of ['trips.msgpack', 'out.cbor', 'trips.arrow']) expect((await unspool(['convert', 'trips.ndjson', name])).stderr).toBe('');
    expect(unpack(await written('trips.msgpack'))).toEqual(trips);
    expect(decodeCbor(await written('out.cbor'))).toEqual(trips);
    expect(
      tableFromIPC(await written('trips.arrow'))
        .toArray()
        .map((row) => ({ ...(row as object) })),
    ).toEqual(trips);
  });

  it('writes a container of Avro by a schema, which needs none to be read', async () => {
    expect((await unspool(['convert', 'trips.ndjson', 'trips.avro', '--schema', 'trip.avsc'])).stderr).toBe('');
    const records: unknown[] = [];
    const decoder = avro.createFileDecoder(join(folder, 'trips.avro'));
    for await (const record of decoder) records.push({ ...(record as object) });
    expect(records).toEqual(trips);
    expect((await unspool(['convert', 'trips.avro', 'back.ndjson'])).stderr).toBe('');
    expect(
      (await written('back.ndjson'))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(trips);
  });

  it('leaves the file as it was if the payload is damaged', async () => {
    await writeFile(join(folder, 'kept.cbor'), 'kept');
    await writeFile(join(folder, 'cut.ndjson'), (await readFile(join(folder, 'trips.ndjson'))).subarray(0, -5));
    const { stderr, status } = await unspool(['convert', 'cut.ndjson', 'kept.cbor']);
    expect([stderr, status]).toEqual([expect.stringMatching(/^unspool: .*\(json, byte \d+/), 1]);
    expect((await written('kept.cbor')).toString()).toBe('kept');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes a message by the schema of the target', async () => {
    const { stderr } = await unspool(['convert', 'trip.json', 'out.pb', '--schema', 'trip.proto', '--type', 'Trip']);
    expect(stderr).toBe('');
    const type = protobufjs.parse(PROTO).root.lookupType('Trip');
    expect(type.toObject(type.decode(await written('out.pb')))).toEqual(trips[7]);
  });
});

describe('unspool show', () => {
  it('shows a list of records as a table, from a file and from a pipe', async () => {
    for (const outcome of [await unspool(['show', 'trips.cbor', '--head', '2']), await unspool(['show', '--head', '2'], 'trips.cbor')]) {
      expect(outcome.stderr).toBe('');
      const lines = outcome.stdout.split('\n');
      expect(lines[0]).toMatch(/^CBOR, [\d,]+ bytes$/);
      expect(lines[2]!.trim().split(/ +/)).toEqual(['id', 'station', 'minutes', 'member']);
      expect(lines[5]!.trim().split(/ {2,}/)).toEqual([expect.stringMatching(/^\d+$/), '1', 'Station 1', '0.25', 'true']);
      expect(lines[6]!.trim()).toBe('… 2,998 more records');
    }
    expect((await unspool(['show', 'trips.ndjson'], 'trips.ndjson')).stdout).toContain('… 2,980 more records');
  });

  it('shows a container of Avro and a message of Protocol Buffers', async () => {
    await unspool(['convert', 'trips.ndjson', 'shown.avro', '--schema', 'trip.avsc']);
    expect((await unspool(['show', 'shown.avro'])).stdout).toContain('… 2,980 more records');
    await writeFile(join(folder, 'shown.pb'), protobufjs.parse(PROTO).root.lookupType('Trip').encode(trips[7]!).finish());
    expect((await unspool(['show', 'shown.pb', '--schema', 'trip.proto', '--type', 'Trip'])).stdout).toContain('station: "Station 7"  string');
  });

  it('says what is wrong, after the values before it', async () => {
    await writeFile(join(folder, 'cut.cbor'), (await readFile(join(folder, 'trips.cbor'))).subarray(0, 2_000));
    const { stdout, stderr, status } = await unspool(['show', 'cut.cbor']);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^unspool: the input ends inside a value \(cbor, byte 2000/)]);
    expect(stdout).toContain('Station 3');
    expect((await unspool(['show', 'trips.cbor', '--head', 'all'])).stderr).toBe('unspool: invalid --head all: expected a number of rows\n');
  });
});

it('unspool size compares the bytes of each format that can hold a payload, and says why the others cannot', async () => {
  const { stdout, stderr } = await unspool(['size', 'trips.cbor']);
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^format +bytes +gzip +br$/);
  expect(lines.find((line) => line.startsWith('JSON '))?.split(/ {2,}/)[1]).toBe(JSON.stringify(trips).length.toLocaleString('en'));
  expect(lines.find((line) => line.startsWith('CBOR '))).toBeDefined();
  expect(lines).toContain('BSON: a document must be an object (bson)');
});

it('prints its help, its version, and the help with status 2 for what it does not know', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect((await unspool(['--help'])).stdout).toMatch(/^Usage: unspool \[payload\]/);
  expect((await unspool(['--version'])).stdout).toBe(`${version}\n`);
  const { stdout, stderr, status } = await unspool(['convert', 'trips.json']);
  expect([stdout, status]).toEqual(['', 2]);
  expect(stderr).toMatch(/^Usage: /);
});
