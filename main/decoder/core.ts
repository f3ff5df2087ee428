import type { Pool } from '../pool/pool.ts';
import type { DecoderOptions } from './options/options.ts';
import type { Defaults } from './prepare.ts';
import type { Router } from './route.ts';

/** Where a decoder has its core, for the parts of the library that it does not call itself. */
export const CORE: unique symbol = Symbol('core');

/** What the decodes of one decoder share. */
export interface Core extends Defaults {
  readonly options: DecoderOptions;
  /** Payloads of fewer bytes are decoded in place, at once. */
  readonly inlineBelow: number;
  readonly pool: Pool;
  readonly router: Router;
}
