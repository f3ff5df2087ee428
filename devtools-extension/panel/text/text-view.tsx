import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Language } from '../../reading/file-types/language.ts';
import { formatCount } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { piecesOf } from './text-colors.ts';
import { linesOf, type TextForm, textForms, type TextLines, ENCODINGS } from './text-forms.ts';
import { visible } from '../../text/visible-text.ts';
import { ImagePreview } from '../preview/image-preview.tsx';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

/** Milliseconds of formatting after which the original text is shown in the meantime. */
const PATIENCE = 300;

const LABELS: Readonly<Record<TextForm, string>> = { json: 'Decoded, as JSON', formatted: 'Formatted', sent: 'Original' };

/** Text tab: the value as indented JSON, the formatted source, or the original text. */
export function TextView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const forms = textForms(body);
  const shown = useSignal<TextForm>(forms[0]!);
  const made = useSignal<TextLines | undefined>(undefined);
  const encoding = useSignal<string | undefined>(undefined);
  const at = useSignal(-1);
  const form = shown.value;
  useEffect(() => {
    const controller = new AbortController();
    made.value = undefined;
    at.value = -1;
    const { signal } = controller;
    void linesOf(body, { form, encoding: encoding.value }, panel.client, signal).then((found) => {
      clearTimeout(timer);
      if (!signal.aborted) made.value = found;
    });
    const timer = setTimeout(() => {
      void linesOf(body, { form: 'sent' }, panel.client, signal).then((found) => {
        if (found && !made.value && !signal.aborted) made.value = { ...found, note: 'formatting…' };
      });
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [body, form, encoding.value]);
  const { lines, note } = made.value ?? { lines: [], note: '' };
  const digits = String(lines.length).length;
  return (
    <div class="table-view">
      <div class="view-bar">
        {forms.length > 1 && (
          <div class="strip" role="radiogroup" aria-label="Text to show" title="Press F in the text for the next form">
            {forms.map((value) => (
              <label class="strip-choice" key={value}>
                <input
                  type="radio"
                  name="text-shown"
                  checked={form === value}
                  onChange={() => {
                    shown.value = value;
                  }}
                />
                <span>{LABELS[value]}</span>
              </label>
            ))}
          </div>
        )}
        {form === 'sent' && (
          <select
            class="field field-small"
            aria-label="Encoding"
            value={encoding.value ?? ''}
            onChange={(event) => {
              encoding.value = event.currentTarget.value || undefined;
            }}
          >
            <option value="">detect encoding</option>
            {ENCODINGS.map((name) => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        <span class="muted" role="status">
          {!made.value ? 'Preparing…' : `${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`}
          {note && `, ${note}`}
        </span>
      </div>
      {form === 'sent' && <ImagePreview bytes={body.bytes} />}
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
            <span role="gridcell">
              <ColoredLine text={visible(lines[index]!)} language={form === 'json' ? 'json' : body.language} />
            </span>
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

/** A line with syntax colours. */
function ColoredLine({ text, language }: { text: string; language: Language | undefined }) {
  if (!language) return <>{text}</>;
  return (
    <>
      {piecesOf(text, language).map((piece, index) =>
        piece.kind === 'plain' ? (
          piece.text
        ) : (
          <span key={index} class={`text-${piece.kind}`}>
            {piece.text}
          </span>
        ),
      )}
    </>
  );
}
