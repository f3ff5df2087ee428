import { useEffect } from 'preact/hooks';
import { schemaFiles, schemaMappings } from '../schemas/schemas.ts';
import type { Exchange } from '../../adapter/adapter.ts';
import type { BodyForm, Draft } from './draft.ts';
import { formatBytes, formatCount } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { type Choice, Segments } from '../shared/segments.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import { lineOf, TextEditor } from './text-editor.tsx';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

const FORMS: readonly Choice<BodyForm>[] = [
  { value: 'none', label: 'None' },
  { value: 'same', label: 'Original' },
  { value: 'value', label: 'Value' },
  { value: 'text', label: 'Text' },
  { value: 'hex', label: 'Hex' },
];

/** Form that edits a request and sends it again. */
export function ResendView({ panel, exchange }: { panel: Panel; exchange: Exchange }) {
  const { resend } = panel;
  const draft = resend.draftOf(exchange);
  // Schemas may arrive after the draft was opened.
  useEffect(
    () => void resend.refresh(draft),
    [draft, schemaFiles.value, schemaMappings.value, panel.schemas.overrides.value, panel.library.state.value, panel.schemas.found?.file.value],
  );
  const state = draft.state.value;
  const problem = draft.problem.value;
  const edited = (): void => {
    draft.problem.value = undefined;
  };
  return (
    <form
      class="resend"
      aria-label="Request to send"
      onSubmit={(event) => {
        event.preventDefault();
        if (state.step !== 'writing') void resend.prepare(draft);
      }}
    >
      <div class="resend-line">
        <select class="field" aria-label="Method" value={draft.method.value} onChange={(event) => (draft.method.value = event.currentTarget.value)}>
          {(METHODS.includes(exchange.method) ? METHODS : [exchange.method, ...METHODS]).map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
        <input
          class="field resend-url"
          type="text"
          aria-label="Address"
          spellcheck={false}
          aria-invalid={problem?.field === 'url'}
          value={draft.url.value}
          onInput={(event) => {
            draft.url.value = event.currentTarget.value;
            edited();
          }}
        />
        <button class="button button-main" type="submit" aria-busy={state.step === 'writing'}>
          Send…
        </button>
        <button class="button" type="button" onClick={() => draft.reset()}>
          Reset
        </button>
      </div>
      <Outcome panel={panel} draft={draft} />
      <fieldset class="resend-headers">
        <legend>Headers</legend>
        <TextEditor label="Headers, one per line" text={draft.headers} problem={problem?.field === 'headers' ? problem : undefined} onEdit={edited} />
        {draft.ownHeaders.length > 0 && <p class="muted">Set by the browser: {draft.ownHeaders.join(', ')}</p>}
      </fieldset>
      <BodyEditor draft={draft} onEdit={edited} />
      {state.step === 'confirming' && (
        <ConfirmSend draft={draft} confirming={state} onSend={() => void resend.send(draft, state.request)} onCancel={() => resend.cancel(draft)} />
      )}
    </form>
  );
}

/** Problem with the draft, or the result of sending it. */
function Outcome({ panel, draft }: { panel: Panel; draft: Draft }) {
  const problem = draft.problem.value;
  const state = draft.state.value;
  if (problem) {
    const text = draft.textOf(draft.sentForm)?.peek() ?? '';
    const line = problem.field === 'body' && problem.from !== undefined ? `Line ${formatCount(lineOf(text, problem.from))}: ` : '';
    return (
      <p class="error-line" role="alert" id="draft-problem">
        <strong>Cannot be sent</strong>
        <span>
          {line}
          {problem.reason}
        </span>
      </p>
    );
  }
  if (state.step !== 'sent') return null;
  const { answer } = state;
  return (
    <p class="resend-sent" role="status">
      {answer === undefined ? (
        'Sent. No response yet.'
      ) : (
        <>
          Sent. The response is in the list.{' '}
          <button class="button button-small" type="button" onClick={() => void openAnswer(panel, answer)}>
            Open
          </button>{' '}
          <button class="button button-small" type="button" onClick={() => void compareAnswer(panel, draft, answer)}>
            Compare with the original response
          </button>
        </>
      )}
    </p>
  );
}

async function openAnswer({ selection }: Panel, answer: number): Promise<void> {
  selection.tab.value = 'tree';
  await selection.select(answer);
}

async function compareAnswer({ selection }: Panel, { exchange }: Draft, answer: number): Promise<void> {
  await selection.select(exchange.id);
  selection.keepBase();
  await selection.select(answer);
  selection.tab.value = 'diff';
}

function BodyEditor({ draft, onEdit }: { draft: Draft; onEdit: () => void }) {
  const { forms, sentForm: form } = draft;
  const problem = draft.problem.value;
  const text = draft.textOf(form);
  return (
    <fieldset class="resend-body">
      <legend>Body</legend>
      <div class="resend-line">
        <Segments
          label="Body to send"
          choices={FORMS.map((choice) => {
            const may = forms[choice.value];
            return may === true ? choice : { ...choice, title: may, isDisabled: true };
          })}
          value={form}
          onChoose={(value) => {
            draft.form.value = value;
            onEdit();
          }}
        />
        <span class="muted">{bodyNote(draft)}</span>
      </div>
      {text && (
        <TextEditor
          key={form}
          label={form === 'value' ? 'Value of the body' : form === 'hex' ? 'Bytes of the body' : 'Text of the body'}
          text={text}
          problem={problem?.field === 'body' ? problem : undefined}
          onEdit={onEdit}
        />
      )}
    </fieldset>
  );
}

/** Note about the body in the chosen form. */
function bodyNote(draft: Draft): string {
  const sent = draft.sent.value;
  const editable = draft.editable.value;
  if (sent && 'missing' in sent) return sent.missing;
  if (!sent || !('bytes' in sent)) return draft.exchange.requestBody && draft.exchange.messageType === undefined ? 'The body is loading.' : '';
  const size = formatBytes(sent.bytes.length);
  const lossy = sent.lossy ? ' The browser delivered it as text: bytes may differ.' : '';
  switch (draft.sentForm) {
    case 'same':
      return `${size}, as originally sent.${lossy}${editable && 'reason' in editable ? ` Its value cannot be edited: ${editable.reason}` : ''}`;
    case 'value':
      if (!editable || !('text' in editable)) return '';
      if (editable.text === draft.valueText.value) return `Unchanged: the original ${size} are sent.${lossy}`;
      return `${draft.reading?.format ?? draft.reading?.detected?.format}. ${editable.isSame ? 'Unedited values keep their bytes.' : `Unedited, it takes ${formatBytes(editable.size)} as encoded here; the page sent ${size}.`}`;
    default:
      return '';
  }
}
