import type { AnyFormat } from '../worker/formats/format.ts';
import { type Revive, reviveCore } from '../worker/revive.ts';

/** Makes the values of the formats' own tags: the caller's way first, then the format's. */
export function formatRevive(format: AnyFormat, own: Revive | undefined): Revive {
  return (tag, inner) => {
    const value = own?.(tag, inner);
    return value === undefined ? format.revive?.(tag, inner) : value;
  };
}

/** Makes the values of all tags. */
export function fullRevive(format: AnyFormat, own: Revive | undefined): Revive {
  const revive = formatRevive(format, own);
  return (tag, inner) => (tag.includes(':') ? revive(tag, inner) : reviveCore(tag, inner));
}
