import type { FormatEntry } from '../../worker/formats/registry.ts';
import { type Limits, resolveLimits } from '../../worker/limits.ts';
import type { DecodeOptions, DecoderOptions } from './options.ts';
import type { Schemas } from './schemas.ts';
import type { Workers } from '../pool/workers.ts';

/** Where a decoder has its core, for the parts of the library that it does not call itself. */
export const CORE: unique symbol = Symbol('core');

/** What the decodes of one decoder share. */
export interface Core {
  readonly options: DecoderOptions;
  readonly limits: Limits;
  /** Payloads of fewer bytes are decoded in place. */
  readonly inlineBelow: number;
  readonly schemas: Schemas;
  readonly workers: Workers;
}

/** No options of a format: the object is the same everywhere, so that it can be told by identity. */
export const NONE: object = Object.freeze({});

/** The options of a payload's format: those of the call over the decoder's, and both over what the media type says. */
export function formatOptions(core: Core, { id }: FormatEntry, { options }: DecodeOptions, sequence: boolean): object {
  const own = core.options.formats?.[id];
  if (!sequence && !own) return options ?? NONE;
  if (!sequence && !options) return own!;
  return { ...(sequence && { sequence }), ...own, ...options };
}

/** The limits of a call. */
export function limitsOf(core: Core, { limits }: DecodeOptions): Limits {
  return resolveLimits(limits, core.limits);
}

/** Whether a payload of so many bytes is decoded on this thread. */
export function inPlace(core: Core, bytes: number, { route = 'auto' }: DecodeOptions): boolean {
  return route === 'inline' || (route === 'auto' && bytes < core.inlineBelow);
}
