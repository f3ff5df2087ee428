import { expect, test } from 'vitest';
import type { AnyFormat } from '../../../core/format/format.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { FORMATS } from '../../../core/formats/registry.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import { subjectOf } from '../../fuzz/fuzz.ts';
import { mutate, Random } from '../../fuzz/mutate.ts';
import { caseCount } from '../../setup/properties/case-count.ts';
import { toHex } from '../../setup/values/hex.ts';
import { giveKernel, kernelOf } from '../../setup/kernels/kernels.ts';

/** Inputs per format, most with several faults. */
const COUNT = caseCount(600, { least: 30 });
/** Maximum seed length in bytes; longer ones are slow byte by byte. */
const MAX_LENGTH = 600;

/** Result for a tag whose content is no valid value, such as an invalid URL. */
const VALUE = 'no value';

const limits = resolveLimits();

interface CodePath {
  chunk: number;
  columns: boolean;
  kernel?: string;
}

/** Code paths to a reader: chunk size, and a sink for objects or columns. */
const CODE_PATHS: Readonly<Record<string, CodePath>> = {
  'objects, whole': { chunk: Infinity, columns: false },
  'objects, cut in two': { chunk: MAX_LENGTH / 4, columns: false },
  'objects, byte by byte': { chunk: 1, columns: false },
  'columns, whole': { chunk: Infinity, columns: true },
  'columns, in pieces of seven bytes': { chunk: 7, columns: true },
  'columns, by a kernel': { chunk: Infinity, columns: true, kernel: 'with an eager kernel' },
  'columns, by a kernel in pieces': { chunk: MAX_LENGTH / 4, columns: true, kernel: 'with a kernel of small windows' },
};

function failure(format: AnyFormat, bytes: Uint8Array, options: object, schema: unknown, { chunk, columns, kernel }: CodePath): string {
  const used = kernel === undefined ? undefined : kernelOf(kernel, format);
  const rows = columns ? new RowSink(() => {}, limits, {}, used) : undefined;
  const sink: Sink = rows ?? new ObjectSink((_, inner) => inner);
  try {
    const reader = format.createReader(sink, options, limits, schema);
    if (chunk < bytes.length) {
      for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.slice(at, at + chunk));
      reader.end();
    } else {
      reader.end(bytes.slice());
    }
    rows?.finish();
    return 'none';
  } catch (error) {
    const { name, code, limit, offset, reason } = error as Record<string, unknown>;
    // For example `url: Invalid URL`.
    if (/^[A-Za-z]+: /.test(String(reason))) return VALUE;
    return [name, code ?? limit, offset].join(' ');
  } finally {
    if (kernel !== undefined) giveKernel(used, kernel, format);
  }
}

test.each(FORMATS.map(({ id }) => id))('reports the same error for %s input with several faults on every code path', async (id) => {
  const format = await loadFormat(id);
  const subject = await subjectOf(id);
  const seeds = subject.seeds().filter(({ length }) => length > 0 && length < MAX_LENGTH);
  const random = new Random(11);
  const differ: object[] = [];
  for (let run = 0; run < COUNT; run += 1) {
    const bytes = mutate(random, mutate(random, random.pick(seeds), seeds), seeds);
    const options = subject.options[run % subject.options.length]!;
    await format.prepare?.(bytes);
    const failures = Object.entries(CODE_PATHS).map(([name, codePath]) => [name, failure(format, bytes, options, subject.schema, codePath)] as const);
    // With columns, the page converts tags, so it finds invalid tags after all other faults.
    if (failures.some(([, found]) => found === VALUE)) continue;
    if (new Set(failures.map(([, found]) => found)).size > 1) differ.push({ bytes: toHex(bytes), options, ...Object.fromEntries(failures) });
  }
  expect(differ).toEqual([]);
});
