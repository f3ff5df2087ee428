import { type DecodeItems, type Grammar, UNKNOWN } from '../../../../core/previous/grammars/grammar.ts';
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
}

/** The value of bytes, made from an earlier one; `UNKNOWN` if they are to be decoded as usual. */
export function reusedBy({ grammar, items, setting, sizes = SIZES, key, form }: Comparison, previous: unknown, bytes: Uint8Array): unknown {
  const remembered = recallSame(previous, setting);
  if (!remembered) return UNKNOWN;
  const steps = reuse(previous, remembered, bytes, { grammar, decode: items, sizes, key, form });
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  } catch (error) {
    if (error === UNKNOWN) return UNKNOWN;
    throw error;
  }
}
