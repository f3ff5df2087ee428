import type { Source } from '../../core/values/sources.ts';
import { thrown } from '../../core/writing/thrown.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { withLazyLists } from '../../core/values/lazy-lists.ts';
import type { PreparedEncode } from './rows/rows-writer.ts';
import { closeItems, type IncomingItems, itemsOf } from './encode-slices.ts';

/**
 * Collects the items of iterators and streams inside a value. Resolves to the value with arrays in their place. Rejects with an
 * EncodeError if one of them throws, or with the signal's reason; those that are not read to their end are closed.
 */
export async function collectSources(value: object, sources: readonly Source[], { signal, writing }: PreparedEncode): Promise<object> {
  const open = new Set(sources.map((source) => ({ source, items: itemsOf(source) })));
  const collected = new Map<object, object>();
  const slicer = new Slicer(signal);
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
  aborted.catch(() => {});
  signal.addEventListener('abort', abort);
  try {
    for (const one of open) {
      collected.set(one.source, await collect(one.items, slicer, aborted, writing.id));
      open.delete(one);
    }
  } catch (error) {
    for (const { items } of open) closeItems(items, error);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    slicer.end();
  }
  return withLazyLists(value, collected);
}

async function collect(items: IncomingItems, slicer: Slicer, aborted: Promise<never>, id: string): Promise<unknown[]> {
  const list: unknown[] = [];
  slicer.begin();
  for (;;) {
    const next = (async () => await items.next())().catch((cause: unknown) => {
      throw thrown(cause, 'a source inside the value', { format: id });
    });
    const { done, value } = await Promise.race([next, aborted]);
    if (done) return list;
    list.push(value);
    if (slicer.due()) await slicer.pause();
  }
}
