import type { CORE, DecoderState } from '../call/decoder-state.ts';
import type { DecodeReport } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions, DecodeSource } from '../call/options/options.ts';

/** The parts of a decoder that values and messages use. */
export interface Caller {
  readonly [CORE]: DecoderState;
  decode(source: DecodeSource, options: DecodeOptions): Promise<unknown>;
  /** Begins a call, which `close` and the signal end. */
  operation(report: DecodeReport, signal: AbortSignal | undefined): Operation;
}

/** Names of the options of values and messages. */
export const VALUE_OPTIONS = ['format', 'options', 'schema', 'limits', 'reviveTag', 'invalidText', 'signal', 'label'];

/** The error that ends the work for a loop that was left. */
export function leftLoop(): DOMException {
  return new DOMException('The loop was left', 'AbortError');
}
