import type { AnyFormat } from '../../core/formats/format.ts';
import type { FormatId } from '../../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import { ObjectSink, shapeOf } from '../../core/sinks/objects/objects.ts';
import { RowSink } from '../../core/sinks/columns/rows.ts';
import type { Sink } from '../../core/reading/sink.ts';
import { sameAsPlain } from '../setup/ways/differential.ts';
import { toHex } from '../setup/values/hex.ts';
import { giveKernel, kernelOf } from '../setup/kernels/kernels.ts';
import { mutate, Random } from './mutate.ts';

/** What a file `subjects/<format>.ts` gives. */
export interface Subject {
  /** Inputs that are good, of every kind that the format knows. */
  seeds(): Uint8Array[];
  /** Further ones, whose values are in so many places that they are not written as trees. */
  shared?(): Uint8Array[];
  /** What mutated inputs are decoded with: each in turn. */
  options: readonly object[];
  /** The compiled schema, for formats that need one. */
  schema?: unknown;
  /** The one that values are read by and written by again, where that is another. */
  writeSchema?: unknown;
}

/** What a format is fuzzed with. */
export async function subjectOf(id: FormatId): Promise<Subject> {
  return (await import(`./subjects/${id}.ts`)) as Subject;
}

export interface FuzzResult {
  /** How many inputs decoded to a value. */
  good: number;
  /** How many gave a typed error. */
  refused: number;
  /** What must not happen, with the input. Fuzzing ends at the tenth. */
  faults: string[];
}

/** An input that takes longer hangs, as far as a user can tell. */
const SLOW_MS = 2000;
const MOST_FAULTS = 10;

/**
 * Decodes `count` mutated inputs, whole and cut in two, into objects and into columns in turn, and whole ones plainly. Each
 * must give a value or a typed error, soon. Repeatable: the same seed gives the same inputs.
 */
export async function fuzz(format: AnyFormat, subject: Subject, count: number, seed = 1): Promise<FuzzResult> {
  const random = new Random(seed);
  const limits = resolveLimits();
  const inputs = [...subject.seeds(), ...(subject.shared?.() ?? [])].filter(({ length }) => length > 0);
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MOST_FAULTS; run++) {
    const bytes = mutate(random, random.pick(inputs), inputs);
    const options = subject.options[run % subject.options.length]!;
    const cut = random.below(4) === 0 ? bytes.length : random.below(bytes.length + 1);
    const input = { bytes, cut, options, limits, schema: subject.schema };
    const start = performance.now();
    try {
      await format.prepare?.(bytes.subarray(0, cut));
      decodeInTurn(format, input, run);
      result.good++;
    } catch (error) {
      if (isTyped(error)) result.refused++;
      else result.faults.push(`run ${run}: ${String(error)}\n${describe(bytes, cut, options)}\n${(error as Error).stack ?? ''}`);
    }
    // Other processes may have delayed it, so that a slow decode is measured again in processor time. Doing so for each
    // input would take a sixth of the run.
    const time = performance.now() - start > SLOW_MS ? workOf(() => decodeInTurn(format, input, run)) : 0;
    if (isSlow(time, SLOW_MS)) result.faults.push(`run ${run}: took ${Math.round(time)} ms\n${describe(bytes, cut, options)}`);
  }
  return result;
}

/**
 * Decodes an input into columns, without a kernel and with one, or into objects, and plainly: what `run` says. Throws what
 * the input is refused with, and an untyped error where two ways of decoding differ.
 */
export function decodeInTurn(format: AnyFormat, input: Input, run: number): void {
  if (run % 3 === 0) {
    const [failure, other] = [undefined, KERNELS[run % KERNELS.length]].map((kernel) => failureOf(() => decodeColumns(format, input, kernel)));
    if (difference(failure, other)) throw new Error(`with a kernel: ${difference(failure, other)}`);
    if (failure) throw failure.error;
    return;
  }
  const { bytes, cut, options, limits, schema } = input;
  const plain = cut < bytes.length ? undefined : format.decodeAtOnce?.(bytes, options, limits, schema, shapeOf);
  sameAsPlain(plain, () => {
    const objects = new ObjectSink((tag, inner) => format.revive?.(tag, inner));
    decode(format, objects, input);
    return objects.result;
  });
}

/** Milliseconds of processor time that a decode takes, whether it fails or not. */
function workOf(decode: () => void): number {
  const start = spent();
  failureOf(decode);
  return spent() - start;
}

/** Milliseconds that this process has worked, in Node: others may keep it waiting. Elsewhere, milliseconds that have passed. */
export function spent(): number {
  const used = globalThis.process?.cpuUsage?.();
  return used ? (used.user + used.system) / 1000 : performance.now();
}

/** Whether an input took too long, in milliseconds. Never in the tests, which do not depend on a machine's speed: they count growth. */
export function isSlow(time: number, most: number): boolean {
  return time > most && globalThis.process?.env['VITEST'] === undefined;
}

/** How kernels are driven, in turn. */
const KERNELS = ['with an eager kernel', 'with a kernel of small windows', 'with a kernel'];

function decodeColumns(format: AnyFormat, input: Input, setting?: string): void {
  const kernel = setting === undefined ? undefined : kernelOf(setting, format);
  const columns = new RowSink(() => {}, input.limits, {}, kernel);
  try {
    decode(format, columns, input);
    columns.finish();
  } finally {
    if (setting !== undefined) giveKernel(kernel, setting, format);
  }
}

/** What a decode throws that may be thrown. */
function failureOf(decode: () => void): { error: unknown } | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** How two failures differ, in what users go by; undefined where they do not. */
function difference(one: { error: unknown } | undefined, other: { error: unknown } | undefined): string | undefined {
  const [a, b] = [one, other].map((failure) => {
    const { name, code, limit, offset } = (failure?.error ?? { name: 'none' }) as Record<string, unknown>;
    return [name, code, limit, offset].join(' ');
  });
  return a === b ? undefined : `${b} in place of ${a}`;
}

/** What is decoded, and how. */
export interface Input {
  bytes: Uint8Array;
  cut: number;
  options: object;
  limits: Limits;
  schema: unknown;
}

function decode(format: AnyFormat, sink: Sink, { bytes, cut, options, limits, schema }: Input): void {
  const reader = format.createReader(sink, options, limits, schema);
  if (cut < bytes.length) reader.push(bytes.subarray(0, cut));
  reader.end(cut < bytes.length ? bytes.subarray(cut) : bytes);
}

/** Whether an error is one that a payload may be refused with. */
export function isTyped(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'DecodeError' || name === 'LimitError' || name === 'SchemaError';
}

function describe(bytes: Uint8Array, cut: number, options: object): string {
  return `${toHex(bytes)} cut at ${cut}, options ${JSON.stringify(options)}`;
}
