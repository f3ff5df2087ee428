import { formatEntry } from '../../core/formats/registry.ts';
import { resolveLimits } from '../../core/limits.ts';
import { holdBytes } from '../../core/previous/compare.ts';
import { type DecodeSetting, isRepeated, keepWhole, recallSame, remember } from '../../core/previous/remember.ts';
import { KEPT_HEADER, parseBlockType } from './type.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import { inSlices, Slicer } from '../../core/slicing/slicer.ts';

const DIGEST_BYTES = 32;

/** Names of the cached blocks that values were opened from. */
const names = new WeakMap<object, string>();

/**
 * Opens a block of a service worker. Resolves to the previous value if that was opened from the same cache entry, without reading
 * it, or from a block with the same bytes, of which SHA-256 digests are kept.
 */
export async function openAgain(
  core: DecoderState,
  operation: Operation,
  source: Response,
  { previous, limits, reviveTag }: DecodeOptions,
  open: (onPart: (bytes: Uint8Array<ArrayBuffer>) => void) => Promise<unknown>,
): Promise<unknown> {
  const { report } = operation;
  const setting: DecodeSetting = {
    format: formatEntry(parseBlockType(source.headers.get('content-type'))?.format ?? '')?.id,
    reader: 'block',
    as: report.as,
    options: {},
    schema: undefined,
    limits: resolveLimits(limits, core.limits),
    revive: reviveTag ?? core.revive,
  };
  const remembered = recallSame(previous, setting);
  const name = source.headers.get(KEPT_HEADER);
  if (remembered && name !== null && names.get(previous as object) === name) {
    source.body?.cancel().catch(() => {});
    keepWhole(previous, remembered);
    report.format = setting.format;
    report.why = 'the cached block of the previous value';
    return previous;
  }
  const digests: Promise<ArrayBuffer>[] = [];
  const value = await open((bytes) => digests.push(crypto.subtle.digest('SHA-256', bytes)));
  const digest = new Uint8Array(digests.length * DIGEST_BYTES);
  (await Promise.all(digests)).forEach((part, index) => digest.set(new Uint8Array(part), index * DIGEST_BYTES));
  operation.check();
  const isSame = remembered && (await inSlices(isRepeated(previous, remembered, holdBytes(digest)), new Slicer()));
  const result = isSame ? previous : value;
  if (!isSame) remember(value, digest, setting);
  if (name !== null && typeof result === 'object' && result !== null) names.set(result, name);
  return result;
}
