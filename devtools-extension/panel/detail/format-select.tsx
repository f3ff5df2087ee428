import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FormatId } from '../../../core/format/format-id.ts';
import type { OpenBody } from '../body/open-body.ts';
import { FORMAT_IDS, type Panel } from '../panel.ts';

/** Value of the entry that lists all formats. */
const MORE = 'more';

/** Choice of the format that a body is read as: those that fit it, and all others after *More…*. */
export function FormatSelect({ panel, body }: { panel: Panel; body: OpenBody }) {
  const element = useRef<HTMLSelectElement>(null);
  const areAllShown = useSignal(false);
  useLayoutEffect(() => {
    if (!areAllShown.value) return;
    try {
      // Choosing *More…* has closed the list.
      element.current!.showPicker();
    } catch {
      // Older browsers, or a choice without a gesture of the user: the list opens at the next click.
    }
  }, [areAllShown.value]);
  const { format, detection } = body;
  const fitting = new Set<FormatId>([...(detection.fitting ?? []), ...(format ? [format] : [])]);
  const isShort = fitting.size > 0 && !areAllShown.value;
  return (
    <label>
      <span class="muted">read as </span>
      <select
        ref={element}
        class="field field-small"
        aria-label="Format"
        value={format ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === MORE) {
            areAllShown.value = true;
            event.currentTarget.value = format ?? '';
          } else {
            void panel.selection.setFormat(value as FormatId | '');
          }
        }}
      >
        <option value="">{detection.format ? 'detect' : 'unknown'}</option>
        {FORMAT_IDS.filter((id) => !isShort || fitting.has(id)).map((id) => (
          <option value={id} key={id}>
            {id}
          </option>
        ))}
        {isShort && <option value={MORE}>More…</option>}
      </select>
    </label>
  );
}
