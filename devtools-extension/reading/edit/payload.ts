import { stepsText } from '../../values/value-text.ts';
import type { Exported } from '../../values/value.ts';
import { EncodeError } from '../../../core/errors.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { SpanTree } from '../../../core/sinks/spans/tree.ts';
import type { EditProblem } from '../protocol.ts';
import { readSpans } from '../spans/read-spans.ts';
import { decodeWhole, encodeWhole } from '../whole-values/whole-value.ts';
import { bothOptions, type PayloadForm } from './form-options.ts';
import { fromNotation, NotationError, nodeAtPath } from './from-notation.ts';
import { toNotation } from './notation.ts';

/** A payload opened for editing. */
export interface OpenPayload {
  notation: Exported;
  /** Values that the notation refers to as `$kept`. */
  kept: unknown[];
}

/** Result of writing an edited text: bytes and losses, or a problem. */
export type Written = { bytes: Uint8Array; lost: string[] } | { problem: EditProblem };

/** Reads a payload. Throws if it cannot be read or written back. */
export async function openPayload(bytes: Uint8Array, form: PayloadForm): Promise<OpenPayload> {
  const { read, schema } = await bothOptions(bytes, form);
  const kept: unknown[] = [];
  return { notation: toNotation(await decodeWhole(form.format, bytes, read, schema), kept, bytes.length), kept };
}

/** Encodes an edited text in the form of the original payload `before`. Returns the bytes, and the values that reading them back loses. */
export async function writePayload(text: string, before: Uint8Array, form: PayloadForm): Promise<Written> {
  const json = new TextEncoder().encode(text);
  const { data, error } = await readSpans(json, { format: 'json', options: { bigints: 'bigint' } as object });
  const problemAt = (reason: string, from: number, end: number): Written => ({ problem: { reason, from: utf16(json, from), end: utf16(json, end) } });
  if (error) return problemAt(error.reason, error.offset ?? 0, Math.min(json.length, (error.offset ?? 0) + 1));
  const tree = new SpanTree(data, json);
  const problemOf = (reason: string, node: number): Written => problemAt(reason, data.values[node]!, data.ends[node]!);
  const { read, write, schema } = await bothOptions(before, form);
  const module = await loadFormat(form.format);
  try {
    const { kept } = await openPayload(before, form);
    const { value, hasReferences } = fromNotation(tree, { kept, revive: module.revive?.bind(module), isJson: form.format === 'json' });
    const bytes = await encodeWhole(form.format, value, { ...write, ...(hasReferences && { references: true }) }, schema);
    const again = await decodeWhole(form.format, bytes, read, schema);
    return { bytes, lost: losses(toNotation(value, [], bytes.length), toNotation(again, [], bytes.length)) };
  } catch (thrown) {
    if (thrown instanceof NotationError) return problemOf(thrown.message, thrown.node);
    if (thrown instanceof EncodeError) return problemOf(thrown.reason, nodeAtPath(tree, thrown.path ?? []));
    throw thrown;
  }
}

/** Converts an offset in UTF-8 to UTF-16 units. */
function utf16(json: Uint8Array, offset: number): number {
  return new TextDecoder().decode(json.subarray(0, offset)).length;
}

/** Maximum number of reported losses. */
const MAX = 5;

/**
 * Paths of values that a writer omitted or changed, with the outcome: keys missing from a schema, rounded numbers.
 * Additions such as defaults are no loss.
 */
export function losses(expected: Exported, actual: Exported): string[] {
  const found: string[] = [];
  compare(expected, actual, [], found);
  return found;
}

function compare(expected: Exported, actual: Exported | undefined, path: readonly (string | number)[], found: string[]): void {
  if (found.length >= MAX) return;
  if (actual === undefined) {
    found.push(`${stepsText(path)} is omitted`);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (const [index, item] of expected.entries()) compare(item, actual[index], [...path, index], found);
  } else if (isObject(expected) && isObject(actual)) {
    for (const [key, item] of Object.entries(expected)) compare(item, Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key], found);
  } else if (expected !== actual) {
    found.push(`${stepsText(path)} becomes ${shortText(actual)}`);
  }
}

function isObject(value: Exported): value is { [key: string]: Exported } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortText(value: Exported): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
