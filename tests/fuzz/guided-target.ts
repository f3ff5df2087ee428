// The target of the coverage-guided fuzzer: see guided.mjs.
import { loadFormat } from '../../core/formats/loaders.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { resolveLimits } from '../../core/limits.ts';
import { decodeObjects, decodeRows, isTyped, subjectOf } from './fuzz.ts';

const id = process.env['UNSPOOL_FUZZ'] as FormatId;
const [format, subject] = await Promise.all([loadFormat(id), subjectOf(id)]);
const limits = resolveLimits();

/** Bytes before the input, which select options, decoder and cut. */
const HEAD = 4;

/** Each valid input after a head for each of the options. */
export function seeds(): Uint8Array[] {
  const inputs = subject.seeds().filter(({ length }) => length < 2000);
  return inputs.flatMap((bytes) => subject.options.map((_, index) => Uint8Array.of(index, index + 1, 0, 0, ...bytes)));
}

export function fuzz(data: Uint8Array): void {
  if (data.length <= HEAD) return;
  const bytes = data.slice(HEAD);
  const options = subject.options[data[0]! % subject.options.length]!;
  const [, , low, high] = data;
  const cut = low === 0 ? bytes.length : Math.min(bytes.length, low! + 256 * high!);
  try {
    // Skips payloads that load more code, which the other fuzzer tests.
    if (format.prepare?.(bytes) !== undefined) return;
    const decode = data[1]! % 3 === 0 ? decodeRows : decodeObjects;
    decode(format, { bytes, cut, options, limits, schema: subject.schema }, data[1]!);
  } catch (error) {
    if (!isTyped(error)) throw error;
  }
}
