import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import { ObjectSink, shapeOf } from '../../core/sinks/objects/objects.ts';
import { RowSink } from '../../core/kernels/row-sink.ts';
import type { Sink } from '../../core/reading/sink.ts';
import { sameAsPlain } from '../setup/ways/differential.ts';
import { toHex } from '../setup/values/hex.ts';
import { giveKernel, kernelOf } from '../setup/kernels/kernels.ts';
import { mutate, Random } from './mutate.ts';

/** Exports of a file `subjects/<format>.ts`. */
export interface Subject {
  /** Valid inputs of every kind. */
  seeds(): Uint8Array[];
  /** Valid inputs with shared values, which are too large to write as trees. */
  shared?(): Uint8Array[];
  /** Options for decoding mutated inputs, used in turn. */
  options: readonly object[];
  /** The compiled schema, for formats that need one. */
  schema?: unknown;
  /** The schema for round trips, if it differs. */
  writeSchema?: unknown;
}

/** The subject of a format. */
export async function subjectOf(id: FormatId): Promise<Subject> {
  return (await import(`./subjects/${id}.ts`)) as Subject;
}

export interface FuzzResult {
  /** Number of inputs with a value. */
  good: number;
  /** Number of inputs with a typed error. */
  refused: number;
  /** Faults with their inputs. Fuzzing ends at the tenth. */
  faults: string[];
}

/** Time limit for an input. */
const SLOW_MS = 2000;
const MAX_FAULTS = 10;

/** Decodes an input in one way. `run` chooses among its variants. */
export type DecodeInput = (format: AnyFormat, input: Input, run: number) => void;

/**
 * Decodes `count` mutated inputs, in one chunk or two. Each must quickly result in a value or a typed error. A seed
 * determines the inputs.
 */
export async function fuzz(format: AnyFormat, subject: Subject, decode: DecodeInput, count: number, seed = 1): Promise<FuzzResult> {
  const random = new Random(seed);
  const limits = resolveLimits();
  const inputs = [...subject.seeds(), ...(subject.shared?.() ?? [])].filter(({ length }) => length > 0);
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run++) {
    const bytes = mutate(random, random.pick(inputs), inputs);
    const options = subject.options[run % subject.options.length]!;
    const cut = random.below(4) === 0 ? bytes.length : random.below(bytes.length + 1);
    const input = { bytes, cut, options, limits, schema: subject.schema };
    const start = performance.now();
    try {
      await format.prepare?.(bytes.subarray(0, cut));
      decode(format, input, run);
      result.good++;
    } catch (error) {
      if (isTyped(error)) result.refused++;
      else result.faults.push(`run ${run}: ${String(error)}\n${describe(bytes, cut, options)}\n${stackOf(() => decode(format, input, run))}`);
    }
    // Measures a slow decode again in processor time, as other processes may have delayed it.
    const time = performance.now() - start > SLOW_MS ? workOf(() => decode(format, input, run)) : 0;
    if (isSlow(time, SLOW_MS)) result.faults.push(`run ${run}: took ${Math.round(time)} ms\n${describe(bytes, cut, options)}`);
  }
  return result;
}

/**
 * Decodes an input into objects, also with the plain decoder. Throws the error of the decode, or an untyped error if both
 * differ.
 */
export function decodeObjects(format: AnyFormat, input: Input): void {
  const { bytes, cut, options, limits, schema } = input;
  const plain = cut < bytes.length ? undefined : format.decodeAtOnce?.(bytes, options, limits, schema, shapeOf);
  sameAsPlain(plain, () => {
    const objects = new ObjectSink((tag, inner) => format.revive?.(tag, inner));
    read(format, objects, input);
    return objects.result;
  });
}

/**
 * Decodes an input into columns, with and without a kernel. Throws the error of the decode, or an untyped error if both
 * differ.
 */
export function decodeRows(format: AnyFormat, input: Input, run: number): void {
  const [failure, other] = [undefined, KERNELS[run % KERNELS.length]].map((kernel) => failureOf(() => decodeColumns(format, input, kernel)));
  if (difference(failure, other)) throw new Error(`with a kernel: ${difference(failure, other)}`);
  if (failure) throw failure.error;
}

/** Runs without the stack traces of errors, which take a third of the time of a refused input. */
export async function withoutStacks<T>(run: () => T | Promise<T>): Promise<T> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Processor time of a decode in milliseconds, even if it fails. */
function workOf(decode: () => void): number {
  const start = spent();
  failureOf(decode);
  return spent() - start;
}

/** Processor time of this process in milliseconds in Node; elapsed time elsewhere. */
export function spent(): number {
  const used = globalThis.process?.cpuUsage?.();
  return used ? (used.user + used.system) / 1000 : performance.now();
}

/** True if an input took too long. Always false in tests, which do not depend on the speed of the machine. */
export function isSlow(time: number, most: number): boolean {
  return time > most && globalThis.process?.env['VITEST'] === undefined;
}

/** The stack of a decode's error, which may have been made without one. */
function stackOf(decode: () => void): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const failure = failureOf(decode);
  Error.stackTraceLimit = limit;
  return (failure?.error as Error | undefined)?.stack ?? '';
}

/** Settings of the kernels, used in turn. */
const KERNELS = ['with an eager kernel', 'with a kernel of small windows', 'with a kernel'];

function decodeColumns(format: AnyFormat, input: Input, setting?: string): void {
  const kernel = setting === undefined ? undefined : kernelOf(setting, format);
  const columns = new RowSink(() => {}, input.limits, {}, kernel);
  try {
    read(format, columns, input);
    columns.finish();
  } finally {
    if (setting !== undefined) giveKernel(kernel, setting, format);
  }
}

/** The error of a decode; undefined if it succeeds. */
function failureOf(decode: () => void): { error: unknown } | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** The difference of two failures in name, code, limit or offset; undefined if they agree. */
function difference(one: { error: unknown } | undefined, other: { error: unknown } | undefined): string | undefined {
  const [a, b] = [one, other].map((failure) => {
    const { name, code, limit, offset } = (failure?.error ?? { name: 'none' }) as Record<string, unknown>;
    return [name, code, limit, offset].join(' ');
  });
  return a === b ? undefined : `${b} instead of ${a}`;
}

/** An input, its options, and the offset of its second chunk. */
export interface Input {
  bytes: Uint8Array;
  cut: number;
  options: object;
  limits: Limits;
  schema: unknown;
}

function read(format: AnyFormat, sink: Sink, { bytes, cut, options, limits, schema }: Input): void {
  const reader = format.createReader(sink, options, limits, schema);
  if (cut < bytes.length) reader.push(bytes.subarray(0, cut));
  reader.end(cut < bytes.length ? bytes.subarray(cut) : bytes);
}

/** True for errors that an invalid payload may cause. */
export function isTyped(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'DecodeError' || name === 'LimitError' || name === 'SchemaError';
}

function describe(bytes: Uint8Array, cut: number, options: object): string {
  return `${toHex(bytes)} cut at ${cut}, options ${JSON.stringify(options)}`;
}
