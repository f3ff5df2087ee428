import type { AnyFormat } from '../../worker/formats/format.ts';
import { formatModule } from '../../worker/formats/loaders.ts';
import type { FormatId } from '../../worker/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../worker/limits.ts';
import type { Revive } from '../../worker/events/revive.ts';
import { decodeAtOnce } from '../in-place/at-once.ts';
import type { MaterialiseOptions } from '../materialise/index.ts';
import type { Prepared } from './prepare.ts';
import { fullRevive } from './revive.ts';

/** The formats whose code this thread has, and those that load. */
const loaded = new Map<FormatId, AnyFormat>();
const loading = new Map<FormatId, Promise<AnyFormat>>();

/** The code of a format, where it is here already. */
export function loadedFormat(id: FormatId): AnyFormat | undefined {
  return loaded.get(id);
}

/** Loads the code of a format for this thread. Concurrent callers share one load; after a failure, the next call tries again. */
export function loadFormat(id: FormatId): Promise<AnyFormat> {
  const ready = loaded.get(id);
  if (ready) return Promise.resolve(ready);
  let promise = loading.get(id);
  if (!promise) {
    promise = load(id).finally(() => loading.delete(id));
    loading.set(id, promise);
  }
  return promise;
}

async function load(id: FormatId): Promise<AnyFormat> {
  const { default: format } = await formatModule(id);
  loaded.set(id, format);
  return format;
}

/**
 * What a materialiser makes values of tags with, and reads rows with that are bytes of the payload. The format's code is
 * loaded when there are any.
 */
export function lazyReading(prepared: Pick<Prepared, 'entry' | 'revive'> & Partial<Prepared>): Pick<MaterialiseOptions, 'revive' | 'readItems' | 'prepare'> {
  const { entry, revive: own, options, limits = DEFAULT_LIMITS } = prepared;
  let format: AnyFormat | undefined;
  let revive: Revive | undefined;
  return {
    revive: (tag, inner) => revive!(tag, inner),
    readItems: (bytes) => {
      const setting = { id: entry.id, format: format!, options: { ...options, sequence: true }, limits };
      return decodeAtOnce(setting, bytes, own) as unknown[];
    },
    prepare: async () => {
      format ??= loadedFormat(entry.id) ?? (await loadFormat(entry.id));
      revive ??= fullRevive(format, own);
    },
  };
}
