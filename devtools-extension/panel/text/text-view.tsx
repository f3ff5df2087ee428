import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { counted } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { piecesOf } from './text-colors.ts';
import { ENCODINGS, linesOf, type TextForm, textForms } from './text-forms.ts';
import { visible } from '../../text/visible-text.ts';
import { Segments } from '../shared/segments.tsx';
import { choicesOf, Select } from '../shared/select.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const LABELS: Readonly<Record<TextForm, string>> = { json: 'Decoded, as JSON', sent: 'Original' };

/** Text tab: the value as indented JSON, or the original text. */
export function TextView({ body }: { body: OpenBody }) {
  const forms = textForms(body);
  const shown = useSignal<TextForm>(forms[0]!);
  const encoding = useSignal('');
  const at = useSignal(-1);
  const form = shown.value;
  const made = useAnswer((signal) => linesOf(body, form, encoding.value, signal), [body, form, encoding.value]);
  useLayoutEffect(() => {
    at.value = -1;
  }, [made]);
  const lines = made ?? [];
  const isJson = form === 'json' || body.format === 'json';
  const digits = String(lines.length).length;
  return (
    <div class="table-view">
      <div class="view-bar">
        {forms.length > 1 && (
          <Segments
            label="Text to show"
            title="Press F in the text for the next form"
            choices={forms.map((value) => ({ value, label: LABELS[value] }))}
            value={form}
            onChoose={(value) => {
              shown.value = value;
            }}
          />
        )}
        {form === 'sent' && (
          <Select
            label="Encoding"
            class="field-small"
            choices={[{ value: '', label: 'detect encoding' }, ...choicesOf(ENCODINGS)]}
            value={encoding.value}
            onChoose={(name) => (encoding.value = name)}
          />
        )}
        <span class="muted" role="status">
          {!made ? 'Preparing…' : counted(lines.length, 'line')}
        </span>
      </div>
      <VirtualList
        class="text-lines"
        role="grid"
        label="Text of the body"
        count={lines.length}
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
            <span role="gridcell">{isJson ? <ColoredLine text={visible(lines[index]!)} /> : visible(lines[index]!)}</span>
          </div>
        )}
        onKeyDown={(event) => {
          if (event.key.toLowerCase() === 'f' && !event.ctrlKey && !event.metaKey && !event.altKey) {
            shown.value = forms[(forms.indexOf(form) + 1) % forms.length]!;
            return;
          }
          const next = movedRow(event.key, at.value, lines.length);
          if (next === undefined) return;
          event.preventDefault();
          at.value = next;
        }}
      />
    </div>
  );
}

/** A line of JSON with syntax colours. */
function ColoredLine({ text }: { text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, index) => (
        <span key={index} class={`value-${piece.kind}`}>
          {piece.text}
        </span>
      ))}
    </>
  );
}
