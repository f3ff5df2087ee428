import type { Workers } from '../pool/workers.ts';
import type { NamedFormats } from './named-formats.ts';
import type { DecoderOptions } from './options/options.ts';
import type { Defaults } from './prepare.ts';
import type { Router } from './route.ts';

/** The key of a decoder's core, for parts of the library that the decoder does not call. */
export const CORE: unique symbol = Symbol('core');

/** Shared by the decodes of one decoder. */
export interface DecoderState extends Defaults {
  readonly options: DecoderOptions;
  /** The formats that the decoder reads in addition to JSON; undefined for all. */
  readonly named: NamedFormats | undefined;
  /** Payloads of fewer bytes are decoded at once. */
  readonly syncBelow: number;
  readonly pool: Workers;
  readonly router: Router;
}
