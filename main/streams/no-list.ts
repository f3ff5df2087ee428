import { DecodeError } from '../../core/errors.ts';
import type { FormatId } from '../../core/formats/registry.ts';

/** Error for a payload without the requested list. */
export function noList(format: FormatId, path: readonly string[]): DecodeError {
  const where = path.length > 0 ? 'at the path' : 'at the root: set the option path to its keys';
  return new DecodeError('no-list', `no list ${where}`, { format, path: [...path] });
}
