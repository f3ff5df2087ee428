import type { AnyFormat } from '../../core/format/format.ts';
import type { Limits } from '../../core/limits.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import { assertUnaltered, isComparable } from '../../core/previous/altered.ts';
import { holdBytes } from '../../core/previous/compare.ts';
import { UNKNOWN } from '../../core/previous/grammars/grammar.ts';
import { COMPARED, grammarOf } from '../../core/previous/grammars/of-format.ts';
import { type DecodeSetting, isRepeated, recallSame, remember, reuse } from '../../core/previous/remember.ts';

/** Settings of one call of `decodeSync`. */
export interface SyncAgain {
  readonly options: object;
  readonly limits: Limits;
  readonly schema: unknown;
  readonly revive: ReviveTag | undefined;
  readonly previous: unknown;
  readonly key: string | undefined;
  readonly checkPrevious: boolean | undefined;
}

/** Decodes bytes at once. */
type DecodeNow = (bytes: Uint8Array, options: object, limits: Limits) => unknown;

/** `decodeAgain` on the calling thread at once. `decode` decodes as usual. */
export function decodeAgainSync(format: AnyFormat, bytes: Uint8Array, given: SyncAgain, decode: DecodeNow): unknown {
  const { id } = format;
  if (id === undefined || !COMPARED.includes(id)) {
    throw new TypeError(`the option previous does not support this format; supported: ${COMPARED.join(', ')}`);
  }
  const { options, limits, schema, revive, previous, key, checkPrevious } = given;
  const setting: DecodeSetting = { reader: format, as: 'objects', options, schema, limits, revive };
  const remembered = recallSame(previous, setting);
  if (remembered && checkPrevious && isComparable(previous)) assertUnaltered(previous, decode(remembered.payload.bytes, options, limits));
  if (remembered && toEnd(isRepeated(previous, remembered, holdBytes(bytes)))) return previous;
  // The caller may use its buffer again.
  const own = bytes.slice();
  const grammar = remembered && !revive && bytes.length <= Math.min(limits.values, limits.bytes) ? grammarOf(id, options, schema) : undefined;
  if (remembered && grammar) {
    const itemOptions = grammar.frame.isSequence ? { ...options, sequence: true } : options;
    try {
      const decodeItems = (items: Uint8Array, levels: number): unknown => decode(items, itemOptions, { ...limits, depth: limits.depth - levels });
      return toEnd(reuse(previous, remembered, holdBytes(own), { grammar, decode: decodeItems, key }));
    } catch (error) {
      if (error !== UNKNOWN) throw error;
    }
  }
  const value = decode(own, options, limits);
  remember(value, own, setting);
  return value;
}

function toEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
