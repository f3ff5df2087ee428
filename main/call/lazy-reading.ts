import { EmptyCells } from '../../core/empty-cells.ts';
import { DEFAULT_LIMITS } from '../../core/limits.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import type { MaterialiseOptions } from '../rows/materialise.ts';
import { type LoadedFormat, loadFormat } from './formats.ts';
import type { Prepared } from './prepare.ts';

/**
 * Functions for a materialiser: they make the values of tags, and read rows that are bytes of the payload. `prepare` loads
 * the format's code, once there are any.
 */
export function lazyReading(
  prepared: Pick<Prepared, 'entry' | 'revive'> & Partial<Prepared>,
): Pick<MaterialiseOptions, 'revive' | 'readItems' | 'prepare' | 'emptyCells'> {
  const { entry, revive: own, options, limits = DEFAULT_LIMITS } = prepared;
  let code: LoadedFormat | undefined;
  let revive: ReviveTag | undefined;
  return {
    emptyCells: new EmptyCells(limits),
    revive: (tag, inner) => revive!(tag, inner),
    readItems: (bytes) => {
      const {
        format,
        readers: { readAtOnce },
      } = code!;
      const setting = { id: entry.id, format, options: { ...options, sequence: true }, limits };
      return readAtOnce(setting, bytes, own) as unknown[];
    },
    prepare: async () => {
      code ??= await loadFormat(entry.id);
      revive ??= code.readers.fullRevive(code.format, own);
    },
  };
}
