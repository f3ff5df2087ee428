import { DecodeError, PlacedError } from '../errors.ts';
import { type ReviveTag, reviveCore } from './revive.ts';

interface Revives {
  readonly revive?: ReviveTag | undefined;
}

/** Makes the values of a format's custom tags: by the caller's function, then by the format's, which throws a DecodeError. */
export function formatRevive(format: Revives, custom: ReviveTag | undefined): ReviveTag {
  return (tag, inner) => {
    const value = custom?.(tag, inner);
    return value === undefined && format.revive ? typed(format.revive, tag, inner) : value;
  };
}

/** Makes the values of all tags. Throws a DecodeError if a tag's content has no value. */
export function fullRevive(format: Revives, custom: ReviveTag | undefined): ReviveTag {
  const revive = formatRevive(format, custom);
  return (tag, inner) => (tag.includes(':') ? revive(tag, inner) : typed(reviveCore, tag, inner));
}

function typed(revive: ReviveTag, tag: string, inner: unknown): unknown {
  try {
    return revive(tag, inner);
  } catch (error) {
    throw error instanceof PlacedError ? error : new DecodeError('malformed', `${tag}: ${(error as Error).message}`);
  }
}
