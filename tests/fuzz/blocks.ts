import { frameHeader, frameTrailer, readParts } from '../../main/block/part-stream.ts';
import { readBlock } from '../../main/block/stream.ts';
import { BlockVerifier } from '../../main/block/verify/verify.ts';
import { Assembler } from '../../main/streams/assembler.ts';
import { fullRevive } from '../../core/reading/format-revive.ts';
import { Materialiser, type MaterialiseOptions } from '../../main/rows/materialise.ts';
import { Rows } from '../../main/rows/rows.ts';
import { serialiseBlock } from '../../core/block/block-file.ts';
import { reviveError } from '../../main/pool/revive-error.ts';
import { recordError } from '../../core/error-record.ts';
import type { AnyFormat } from '../../core/format/format.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { FORMATS } from '../../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import { ColumnSink } from '../../core/sinks/columns/columns.ts';
import { emit } from '../setup/values/emit.ts';
import { type FuzzResult, isSlow, isTyped, spent, type Subject, subjectOf } from './fuzz.ts';
import { mutate, Random } from './mutate.ts';

/** Source of a block, and whether its list is written in batches. */
export interface BlockSeed {
  parts: Uint8Array<ArrayBuffer>[];
  batches: boolean;
  format: AnyFormat;
}

const NO_FORMAT = {} as AnyFormat;
const SLOW_MS = 2000;
const MAX_FAULTS = 10;
/** A tree of one shape, rows with nested lists, columns of all kinds, shared values, and lists too long for one group. */
const VALUES: readonly unknown[] = [
  null,
  [],
  { trips: Array.from({ length: 40 }, (_, id) => ({ id, name: `trip ${id % 7}`, text: `${id} é ${'x'.repeat(id)}`, at: id / 3, on: id % 2 === 0 })) },
  Array.from({ length: 300 }, (_, id) => ({
    id,
    ...(id % 3 > 0 && { a: null }),
    when: new Date(id),
    big: BigInt(id) ** 4n,
    mixed: [id, 'x', 0.5, { y: 1 }][id % 4],
  })),
  Array.from({ length: 20 }, (_, id) => ({
    id,
    stops: Array.from({ length: id % 5 }, (_, stop) => ({ stop, at: [stop, -0.5], names: [{ name: 'a' }, { name: 'b' }] })),
  })),
  new Map<unknown, unknown>([
    [1, new Set([1, 'a', 2n ** 70n])],
    ['b', [new Uint8Array(5), new Float64Array(2), /x/g, new Date(NaN)]],
  ]),
  { tree: treeOf(4), other: [[[]], {}, [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }], 1e300, -0, undefined] },
];

function treeOf(depth: number): object {
  return { name: `n${depth}`, children: depth === 0 ? [] : [treeOf(depth - 1), treeOf(depth - 1)] };
}

/** Records that contain themselves, as references of CBOR, MessagePack and Sia make them. */
export function recordsInThemselves(): object[] {
  const records: { id: number; all?: object }[] = [{ id: 1 }, { id: 2 }];
  for (const record of records) record.all = { records, record };
  return records;
}

/** Blocks of values of all kinds, and of the formats' valid inputs. */
export async function allBlockSeeds(): Promise<BlockSeed[]> {
  return blockSeeds(await Promise.all(FORMATS.map(async ({ id }) => [await loadFormat(id), await subjectOf(id)] as const)));
}

/** Blocks of values of all kinds, and of inputs of formats. */
function blockSeeds(formats: readonly (readonly [format: AnyFormat, subject: Subject])[]): BlockSeed[] {
  const limits = resolveLimits();
  const seeds: BlockSeed[] = [];
  const add = (format: AnyFormat, batches: { path: string[]; items: number } | undefined, write: (sink: ColumnSink) => void): void => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const sink = new ColumnSink((part) => parts.push(new Uint8Array(part)), limits);
    if (batches) sink.batch(batches.path, batches.items);
    write(sink);
    sink.finish();
    seeds.push({ parts, batches: batches !== undefined, format });
  };
  for (const value of VALUES) add(NO_FORMAT, undefined, (sink) => emit(sink, value));
  for (const [value, path] of [
    [VALUES[2], ['trips']],
    [VALUES[3], []],
    [VALUES[4], []],
  ] as const) {
    add(NO_FORMAT, { path: [...path], items: 16 }, (sink) => emit(sink, value));
  }
  const shared = { a: 1 };
  for (const value of [[shared, shared, { shared }, [shared]], recordsInThemselves()]) add(NO_FORMAT, undefined, (sink) => emit(sink, value));
  for (const [format, subject] of formats) {
    for (const bytes of subject.seeds()) {
      try {
        add(format, undefined, (sink) => format.createReader(sink, subject.options[0]!, limits, subject.schema).end(bytes));
      } catch {
        // Some inputs are invalid with the first options.
      }
    }
  }
  return seeds.filter(({ parts }) => parts.length > 0);
}

/**
 * Opens `count` mutated blocks as objects, rows, columns and batches in turn, some of them as files and streams. Each must
 * quickly result in a value, proportional to its bytes, or a typed error. A seed determines the blocks.
 */
export async function fuzzBlocks(seeds: readonly BlockSeed[], count: number, seed = 1): Promise<FuzzResult> {
  const random = new Random(seed);
  const limits = resolveLimits({ depth: 100 });
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run++) {
    const chosen = random.pick(seeds);
    const as = (['objects', 'rows', 'columns'] as const)[run % 3]!;
    const parts = mutateParts(random, chosen.parts);
    const start = spent();
    try {
      const carried = run % 5 === 0 ? await carry(random, parts) : parts;
      await open({ ...chosen, parts: carried }, as, limits);
      result.good++;
    } catch (error) {
      if (isTyped(error) || (error as Error).name === 'NetworkError') result.refused++;
      else result.faults.push(`run ${run} as ${as} of block ${seeds.indexOf(chosen)}: ${(error as Error).stack ?? String(error)}`);
    }
    const time = spent() - start;
    if (isSlow(time, SLOW_MS)) result.faults.push(`run ${run} as ${as} of block ${seeds.indexOf(chosen)}: took ${Math.round(time)} ms`);
  }
  return result;
}

/** Verifies a block and builds its value. */
async function open({ parts, batches, format }: BlockSeed, as: MaterialiseOptions['as'], limits: Limits): Promise<void> {
  const verifier = new BlockVerifier(limits, batches);
  const options = { as, revive: fullRevive(format, undefined) };
  const materialiser = new Materialiser(options);
  const assembler = new Assembler(options);
  let bytes = 0;
  let values = 0;
  const count = (value: unknown): void => {
    values += countValues(value, 64 * bytes + 4096 - values);
    if (values > 64 * bytes + 4096) throw new Error(`${values} values of ${bytes} bytes`);
  };
  for (const part of parts) {
    for (const steps = verifier.part(part.buffer, 0, part.length); !steps.next().done;);
    bytes += part.length;
    if (!batches) materialiser.push(part.buffer);
    else count(await assembler.push(part.buffer)?.build());
  }
  verifier.end();
  count(await (batches ? assembler.rest() : materialiser.done()));
}

/** Counts the values in a value, up to a maximum. */
function countValues(root: unknown, most: number): number {
  const waiting = [root];
  const seen = new Set<unknown>();
  let count = 0;
  while (waiting.length > 0 && count <= most) {
    const value = waiting.pop();
    count++;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Rows) {
      // Records may contain themselves, so that they are not written as text.
      void [value.columnNames, value.at(-1), value.slice(0, 1).toJSON()];
      for (const item of value) waiting.push(item);
    } else if (value instanceof Map) for (const entry of value) waiting.push(...entry);
    else if (Array.isArray(value) || value instanceof Set) for (const item of value) waiting.push(item);
    else if (!ArrayBuffer.isView(value)) for (const item of Object.values(value)) waiting.push(item);
  }
  return count;
}

/** Parts with changed bytes or words, omitted, repeated or reordered. */
function mutateParts(random: Random, parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  // Copies, as opening a block may release its buffers.
  const mutated = parts.map((part) => part.slice());
  const at = random.below(mutated.length);
  const kind = random.below(16);
  if (kind === 0) mutated.splice(at, 1);
  else if (kind === 1) mutated.splice(random.below(mutated.length + 1), 0, mutated[at]!.slice());
  else if (kind === 2) mutated.splice(at, 0, ...mutated.splice(random.below(mutated.length), 1));
  else if (kind === 3) mutated[at] = mutate(random, mutated[at]!, parts).slice();
  else for (let changes = random.below(4) === 0 ? 3 : 1; changes > 0; changes--) mutateWord(random, mutated[random.below(mutated.length)]!);
  return mutated;
}

const WORDS = [0, 1, 2, 3, 4, 8, 16, 24, 32, 255, 256, 1 << 16, 2 ** 27, 2 ** 30, 2 ** 31 - 1, -1, -8, -(2 ** 31)];

/** Changes a word, half of the time in the directory, which holds the offsets. */
function mutateWord(random: Random, part: Uint8Array<ArrayBuffer>): void {
  const words = new Int32Array(part.buffer, 0, part.length >> 2);
  const directory = words[3]! >> 2;
  const from = random.below(2) === 0 && directory > 0 && directory < words.length ? directory : 0;
  const at = from + random.below(words.length - from);
  const how = random.below(5);
  if (how === 0) words[at] = random.pick(WORDS);
  else if (how === 1) words[at]! += random.pick([-8, -4, -1, 1, 4, 8, 32]);
  else if (how === 2) words[at]! ^= 1 << random.below(32);
  else if (how === 3) words[at] = words[random.below(words.length)]!;
  else part[4 * at + random.below(4)] = random.below(256);
}

/** Writes the parts to a file or a stream, which may be mutated, and reads them back. */
async function carry(random: Random, parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const asFile = random.below(2) === 0;
  const pieces = asFile
    ? [serialiseBlock(parts.map(({ buffer }) => buffer))]
    : [...parts.flatMap(({ buffer }) => [frameHeader(buffer.byteLength), buffer]), frameTrailer()];
  let bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  const how = random.below(4);
  if (how < 2) bytes = mutate(random, bytes, [bytes]).slice();
  else if (how === 2 && bytes.length > 32) {
    bytes.set(new Uint8Array(new Float64Array([random.pick([-2, -1, 0, 2 ** 31, 2e9, 1e300, NaN])]).buffer), 8 * random.below(4));
  }
  const found: Uint8Array<ArrayBuffer>[] = [];
  const response = new Response(bytes);
  try {
    for await (const part of asFile ? readBlock(response) : readParts(response)) found.push(new Uint8Array(part));
  } catch (error) {
    // A failure carries one of the service worker's own errors.
    throw isTyped(error) || (error as Error).name === 'NetworkError' ? error : reviveError(recordError(error));
  }
  return found;
}
