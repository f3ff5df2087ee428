import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { jsonLines } from '../models/json-lines.ts';
import { formatCount } from '../models/numbers.ts';
import type { OpenBody } from '../models/open-body.ts';
import { runSliced } from '../models/slices.ts';
import { textLines } from '../models/text-lines.ts';
import { visible } from '../models/visible-text.ts';
import { ImagePreview } from './image-preview.tsx';
import { Note } from './note.tsx';
import { movedRow, VirtualList } from './virtual-list.tsx';

/** The body as text: what was decoded as indented JSON, or the bytes as they were sent. */
export function TextView({ body }: { body: OpenBody }) {
  const shown = useSignal<'json' | 'sent'>(body.tree && body.tree.count > 1 ? 'json' : 'sent');
  const lines = useSignal<readonly string[] | undefined>(undefined);
  const at = useSignal(-1);
  const isDecoded = body.tree !== undefined && body.tree.count > 1;
  const form = isDecoded ? shown.value : 'sent';
  useEffect(() => {
    let isGone = false;
    lines.value = undefined;
    at.value = -1;
    const work = form === 'json' ? jsonLines(body.tree!, body.tree!.root) : textLines(body.bytes);
    void runSliced(work, () => isGone).then((made) => {
      if (!isGone) lines.value = made;
    });
    return () => {
      isGone = true;
    };
  }, [body, form]);
  if (!lines.value) return <Note title="Writing…">The body is being made into text.</Note>;
  const digits = String(lines.value.length).length;
  return (
    <div class="table-view">
      <div class="view-bar">
        {isDecoded && (
          <div class="strip" role="radiogroup" aria-label="Text to show">
            {(['json', 'sent'] as const).map((value) => (
              <label class="strip-choice" key={value}>
                <input
                  type="radio"
                  name="text-shown"
                  checked={shown.value === value}
                  onChange={() => {
                    shown.value = value;
                  }}
                />
                <span>{value === 'json' ? 'Decoded, as JSON' : 'As sent'}</span>
              </label>
            ))}
          </div>
        )}
        <span class="muted">
          {formatCount(lines.value.length)} {lines.value.length === 1 ? 'line' : 'lines'}
        </span>
      </div>
      {form === 'sent' && <ImagePreview bytes={body.bytes} />}
      <VirtualList
        class="text-lines"
        role="grid"
        label="Text of the body"
        count={lines.value.length}
        columnCount={2}
        rowHeight={18}
        show={at.value}
        activeId={at.value >= 0 ? `line-${at.value}` : undefined}
        row={(index) => (
          <div
            key={index}
            id={`line-${index}`}
            role="row"
            aria-rowindex={index + 1}
            class={`text-line${index === at.value ? ' is-selected' : ''}`}
            onClick={() => (at.value = index)}
          >
            <span role="rowheader" class="line-number" style={{ minWidth: `${digits}ch` }}>
              {index + 1}
            </span>
            <span role="gridcell">{visible(lines.value![index]!)}</span>
          </div>
        )}
        onKeyDown={(event) => {
          const next = movedRow(event.key, at.value, lines.value!.length);
          if (next === undefined) return;
          event.preventDefault();
          at.value = next;
        }}
      />
    </div>
  );
}
