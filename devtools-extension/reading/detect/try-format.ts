import type { FormatId } from '../../../core/format/format-id.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanData } from '../../../core/sinks/spans/tree.ts';
import { readSpans, type SpanReading } from '../spans/read-spans.ts';

/** Maximum number of bytes to read for a trial. */
const TRIAL_BYTES = 256 * 1024;

/** Result of a trial read. */
export interface Trial {
  confidence: number;
  sequence: boolean;
  reasons: string[];
}

/** Tries to read the bytes, or their beginning, as a self-describing format. Undefined if that fails. */
export async function tryFormat(format: FormatId, bytes: Uint8Array, isComplete: boolean): Promise<Trial | undefined> {
  const { part, isCut } = partOf(bytes, isComplete);
  const once = await readSpans(part, { format });
  if (isFine(once, isCut)) return { sequence: false, ...assess(format, once.data, part) };
  // Several containers form a sequence; scalars are too weak evidence.
  if (once.error?.code !== 'trailing-bytes' || once.data.count < 2 || once.data.kinds[1]! < is.ARRAY) return undefined;
  const many = await readSpans(part, { format, options: { sequence: true } });
  if (!isFine(many, isCut)) return undefined;
  const found = tops(many.data);
  if (!found.every((node) => many.data.kinds[node]! >= is.ARRAY)) return undefined;
  const { confidence, reasons } = assess(format, many.data, part);
  return { sequence: true, confidence: confidence * 0.95, reasons: [...reasons, `${found.length} concatenated values`] };
}

/** True if the bytes read as a sequence, as the Content-Type declares. Values of any kind may then follow each other. */
export async function fitsSequence(format: FormatId, bytes: Uint8Array, isComplete: boolean): Promise<boolean> {
  const { part, isCut } = partOf(bytes, isComplete);
  return isFine(await readSpans(part, { format, options: { sequence: true } }), isCut);
}

function partOf(bytes: Uint8Array, isComplete: boolean): { part: Uint8Array; isCut: boolean } {
  const part = bytes.length > TRIAL_BYTES ? bytes.subarray(0, TRIAL_BYTES) : bytes;
  return { part, isCut: part.length < bytes.length || !isComplete };
}

function isFine({ error }: SpanReading, isCut: boolean): boolean {
  // A body that is nested too deep for the tree is of the format all the same.
  return !error || (isCut && error.code === 'truncated') || error.limit === 'depth';
}

/** Top-level values of a sequence. */
function tops(data: SpanData): number[] {
  const found: number[] = [];
  for (let at = 2; at < data.count && found.length < 1000; at = data.nexts[at]!) found.push(at);
  return found;
}

/** Confidence derived from a tree: text and structure are unlikely to arise by chance. */
function assess(format: FormatId, data: SpanData, bytes: Uint8Array): { confidence: number; reasons: string[] } {
  const root = data.kinds[1] ?? is.DOCUMENT;
  const reasons = ['the whole body parses'];
  if (format === 'json') {
    return { confidence: root >= is.ARRAY ? 0.98 : bytes.length > 1 ? 0.7 : 0.3, reasons: ['valid JSON syntax'] };
  }
  // The document's size matches the body, and every type, name and terminator fits.
  if (format === 'bson') return { confidence: data.count > 2 ? 0.97 : 0.8, reasons };
  let names = 0;
  let strings = 0;
  let odd = 0;
  const limit = Math.min(data.count, 5_000);
  for (let node = 1; node < limit; node += 1) {
    const kind = data.kinds[node]!;
    if (kind === is.STRING) strings += 1;
    const parent = data.kinds[data.parents[node]!];
    if (data.keys[node] !== is.NONE && (parent === is.OBJECT || parent === is.RECORD)) {
      const name = data.names[data.keys[node]!];
      if (typeof name === 'string' && isName(name)) names += 1;
      else odd += 1;
    }
    if (kind === is.UNDEFINED || kind === is.TAGGED || kind === is.BIGINT) odd += 1;
  }
  if (root < is.ARRAY) return { confidence: bytes.length >= 4 ? 0.35 : 0.15, reasons: ['a single value spans the body'] };
  const base = names > 0 ? 0.93 : strings > 1 ? 0.85 : bytes.length > 32 ? 0.75 : 0.5;
  const few = names + strings >= 3 ? 0 : bytes.length < 16 ? 0.25 : 0.1;
  return { confidence: Math.max(0.2, base - (odd / limit) * 0.8 - few), reasons };
}

/** True for a plausible key: text, not a field number or control characters. */
function isName(key: string): boolean {
  return key.length > 0 && !/^-?\d+$|\p{Cc}/u.test(key);
}
