import { DecodeError } from '../../worker/errors.ts';
import { type Revive, reviveCore } from '../../worker/events/revive.ts';

/** Makes the values of the formats' own tags: the caller's way first, then the format's. */
export function formatRevive(format: { readonly revive?: Revive | undefined }, own: Revive | undefined): Revive {
  return (tag, inner) => {
    const value = own?.(tag, inner);
    return value === undefined ? format.revive?.(tag, inner) : value;
  };
}

/** Makes the values of all tags. Throws a DecodeError where the core has none for what a tag holds. */
export function fullRevive(format: { readonly revive?: Revive | undefined }, own: Revive | undefined): Revive {
  const revive = formatRevive(format, own);
  return (tag, inner) => {
    if (tag.includes(':')) return revive(tag, inner);
    try {
      return reviveCore(tag, inner);
    } catch (error) {
      throw new DecodeError('malformed', `${tag}: ${(error as Error).message}`);
    }
  };
}
