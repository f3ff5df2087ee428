import { ArrivingBytes } from '../../../../core/previous/arriving.ts';
import { holdBytes } from '../../../../core/previous/compare.ts';
import { CHANGED, type DecodeItems, type Grammar, UNKNOWN } from '../../../../core/previous/grammars/grammar.ts';
import { type DecodeSetting, recallSame, reuse } from '../../../../core/previous/remember.ts';
import type { RowsForm } from '../../../../core/previous/rows-form.ts';
import { SIZES, type Sizes } from '../../../../core/previous/tuning.ts';

interface Comparison {
  readonly grammar: Grammar;
  readonly items: DecodeItems;
  readonly setting: DecodeSetting;
  readonly sizes?: Sizes | undefined;
  readonly key?: string | undefined;
  readonly form?: RowsForm | undefined;
  /** Bytes of each chunk that arrives; undefined for bytes that are all there. */
  readonly chunk?: number | undefined;
}

/** The value of bytes, made from an earlier one; `UNKNOWN` if they are to be decoded as usual. */
export function reusedBy({ grammar, items, setting, sizes = SIZES, key, form, chunk }: Comparison, previous: unknown, bytes: Uint8Array): unknown {
  const remembered = recallSame(previous, setting);
  if (!remembered) return UNKNOWN;
  // There may be more room than bytes.
  const arriving = new ArrivingBytes(bytes.length + (bytes.length % 3) * 40);
  const now = chunk === undefined ? holdBytes(bytes) : arriving;
  const steps = reuse(previous, remembered, now, { grammar, decode: items, sizes, key, form });
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (chunk === undefined || !arriving.lacks) continue;
      if (arriving.ready === bytes.length) arriving.end();
      else arriving.add(bytes.subarray(arriving.ready, arriving.ready + chunk));
    }
  } catch (error) {
    if (error === UNKNOWN || error === CHANGED) return UNKNOWN;
    throw error;
  }
}
