import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFormat } from '../../core/formats/loaders.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { Random } from '../fuzz/mutate.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { encodeEveryWay } from '../setup/ways/encode-with.ts';
import { capnpValue, flatValue } from './values.ts';

/** Results of a tool that compiles schemas and converts values. */
export interface ToolResult {
  version: string;
  /** Number of values that the tool wrote, and that it read from Unspool's bytes. */
  count: number;
  faults: string[];
}

/** Tools by name, with their runners, which return undefined if the tool is missing. */
export const TOOLS: Readonly<Record<string, (root: string, count: number, seed: number) => Promise<ToolResult | undefined>>> = { flatc, capnp };

/** `flatc`: converts random JSON to buffers, which both sides read, and reads Unspool's buffers. */
async function flatc(root: string, count: number, seed: number): Promise<ToolResult | undefined> {
  const version = versionOf('flatc', ['--version']);
  if (version === undefined) return undefined;
  const [format, writer] = await Promise.all([loadFormat('flatbuffers'), loadWriter('flatbuffers')]);
  const folder = join(root, 'tests/fixtures/flatbuffers');
  const [fbs, bfbs] = [join(folder, 'everything.fbs'), join(folder, 'everything.bfbs')];
  const schema = await format.compileSchema!({ bfbs: readFileSync(bfbs) });
  const options = { enums: 'name', defaults: 'none' };
  const random = new Random(seed);
  const values = Array.from({ length: count }, () => flatValue(random));
  const faults: string[] = [];
  const work = mkdtempSync(join(tmpdir(), 'unspool-flatc-'));
  try {
    const names = values.map((value, index) => {
      writeFileSync(join(work, `a${index}.json`), JSON.stringify(value));
      return `a${index}`;
    });
    run('flatc', ['-o', work, '--binary', fbs, ...names.map((name) => join(work, `${name}.json`))]);
    const decoded = names.map((name) => decodeWith(format, readFileSync(join(work, `${name}.bin`)), { schema, options }));
    for (const [index, value] of decoded.entries()) writeFileSync(join(work, `b${index}.bin`), encodeEveryWay(writer, value, { schema }));
    const binaries = names.flatMap((_, index) => [join(work, `a${index}.bin`), join(work, `b${index}.bin`)]);
    run('flatc', ['-o', work, '--json', '--strict-json', '--raw-binary', '--allow-non-utf8', bfbs, '--', ...binaries]);
    const [theirs, ours] = ['a', 'b'].map((kind) =>
      names.map((_, index) => JSON.parse(readFileSync(join(work, `${kind}${index}.json`), 'utf8')) as object),
    );
    compare(faults, theirs!, ours!, asJson(decoded) as unknown[]);
  } finally {
    rmSync(work, { recursive: true });
  }
  return { version, count: 2 * count, faults };
}

/** `capnp convert`: the same for plain and packed messages. */
async function capnp(root: string, count: number, seed: number): Promise<ToolResult | undefined> {
  const version = versionOf('capnp', ['--version']);
  if (version === undefined) return undefined;
  const [format, writer] = await Promise.all([loadFormat('capnproto'), loadWriter('capnproto')]);
  const folder = join(root, 'tests/fixtures/capnproto');
  const struct = 'TestAllTypes';
  const schema = await format.compileSchema!({ request: readFileSync(join(folder, 'test.request')), struct });
  const random = new Random(seed);
  const values = Array.from({ length: count }, () => JSON.stringify(capnpValue(random))).join('\n');
  const convert = (kinds: string, input: string | Uint8Array): Buffer => run('capnp', ['convert', kinds, join(folder, 'test.capnp'), struct], input);
  const listed = (text: Buffer): object[] => JSON.parse(`[${text.toString().replaceAll('}\n{', '},\n{')}]`) as object[];
  const faults: string[] = [];
  for (const packed of [false, true]) {
    const kind = packed ? 'packed' : 'binary';
    const messages = convert(`json:${kind}`, values);
    const options = { int64: 'string', enums: 'name', defaults: 'none', packed, sequence: true };
    const list = decodeWith(format, messages, { schema, options }) as unknown[];
    const written = encodeEveryWay(writer, list, { schema, options: { packed, sequence: true } });
    const [theirs, ours] = [messages, written].map((bytes) => listed(convert(`${kind}:json`, bytes)));
    compare(faults, theirs!, ours!, asJson(list) as object[]);
  }
  return { version, count: 2 * count, faults };
}

/** Records differences between the tool's reading of its own bytes, Unspool's reading, and the tool's reading of Unspool's bytes. */
function compare(faults: string[], theirs: readonly object[], ours: readonly object[], read: readonly unknown[]): void {
  if (ours.length !== theirs.length || read.length !== theirs.length)
    faults.push(`wrote ${theirs.length} values, not ${ours.length} or ${read.length}`);
  for (const [index, value] of theirs.entries()) {
    const [wanted, found, written] = [value, read[index], ours[index]].map((one) => JSON.stringify(sorted(one)));
    if (found !== wanted) faults.push(`wrote ${wanted}, which Unspool reads as ${found}`);
    if (written !== wanted) faults.push(`wrote ${wanted}, and reads what Unspool writes of it as ${written}`);
  }
}

/** Converts a value to the forms of the tools' JSON. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}

/** Sorts the keys of objects. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function versionOf(program: string, parameters: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, parameters, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function run(program: string, parameters: string[], input?: string | Uint8Array): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { input, maxBuffer: 1_000_000_000 });
  if (status !== 0) throw new Error(`${program} failed: ${stderr?.toString() || String(error)}`);
  return stdout;
}
