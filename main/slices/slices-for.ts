import type { SessionSetting } from '../../core/format/decode-session.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import type { ResultForm } from '../rows/form.ts';
import { ReaderSlices } from '../../core/slicing/reader-slices.ts';
import type { ItemConsumer, SkippedItems, SlicedDecode } from '../../core/slicing/sliced-decode.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';

/**
 * Creates the decode of a payload in slices: by columns, if the format's can be taken over, or else by its values.
 * `loadTables` is the caller's: files of formats contain this function, but no other files.
 */
export async function slicesFor(
  setting: SessionSetting,
  revive: ReviveTag | undefined,
  slicer: Slicer,
  as: ResultForm,
  items: ItemConsumer | undefined,
  loadTables: () => Promise<typeof import('./table-slices.ts')>,
): Promise<SlicedDecode & { readonly rows: number; readonly found: boolean; skip?(items: SkippedItems): void }> {
  if (setting.format.openTable && (!setting.wrap || setting.wrap.picked)) return new (await loadTables()).TableSlices(setting, slicer, as, items);
  return new ReaderSlices(setting, revive, slicer, { items, namesKeys: as !== 'objects' });
}
