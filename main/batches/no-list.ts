import { DecodeError } from '../../worker/errors.ts';
import type { FormatId } from '../../worker/formats/registry.ts';

/** The error for a payload without the list that was asked for. */
export function noList(format: FormatId, path: readonly string[]): DecodeError {
  const where = path.length > 0 ? 'at that path' : 'at the root: name its keys with the option path';
  return new DecodeError('no-list', `there is no list ${where}`, { format, path: [...path] });
}
