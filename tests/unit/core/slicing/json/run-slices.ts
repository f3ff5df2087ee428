import { JsonSlices, type JsonSlicesOptions } from '../../../../../core/slicing/json/json-slices.ts';
import { SequenceReader } from '../../../../../core/slicing/json/sequence.ts';
import { NOT_PLAIN } from '../../../../../core/slicing/json/values.ts';
import { loadNumberLists } from '../../../../../core/slicing/json/numbers/load-number-lists.ts';
import { PieceSize } from '../../../../../core/slicing/piece-size.ts';
import { Slicer } from '../../../../../core/slicing/slicer.ts';
import { type Limits, resolveLimits } from '../../../../../core/limits.ts';

/** Options for decoding a text in slices. */
export interface Run extends Omit<JsonSlicesOptions, 'Sequence'> {
  /** The input is a sequence of values. Default false. */
  sequence?: boolean;
  /** Bytes of each chunk. Default: one chunk. */
  chunk?: number;
  /** Bytes of each piece. */
  piece?: number;
  limits?: Partial<Limits>;
}

// Otherwise the result would depend on when the number list reader loads.
await loadNumberLists();

const encoder = new TextEncoder();

/** Decodes a text, or bytes, in slices. */
export function inSlices(
  input: string | Uint8Array,
  { chunk = Infinity, piece, limits, sequence, ...options }: Run = {},
): { slices: JsonSlices; value: Promise<unknown> } {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input;
  const size = piece === undefined ? undefined : new PieceSize(piece, piece);
  const slices = new JsonSlices(resolveLimits(limits), new Slicer(undefined, { limit: 1e9 }), {
    ...options,
    ...(sequence && { Sequence: SequenceReader }),
    ...(size && { size }),
  });
  const decode = async (): Promise<unknown> => {
    for (let at = 0; at < bytes.length; at += chunk) await slices.push(bytes.slice(at, at + chunk));
    return slices.end();
  };
  return { slices, value: decode() };
}

/** Text of the sliced result, which shows order, duplicates and prototypes, or that the input is not plain. */
export async function textInSlices(input: string | Uint8Array, run?: Run): Promise<string> {
  const value = await inSlices(input, run).value;
  return value === NOT_PLAIN ? 'not plain' : showValue(value);
}

/** Text of the result of `JSON.parse`, in the same form. */
export function textAtOnce(text: string): string {
  try {
    return showValue(JSON.parse(text));
  } catch {
    return 'not plain';
  }
}

/** Distinguishes −0 from 0. */
function showValue(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (Object.is(inner, -0) ? '-0' : inner));
}
