import { useSignal } from '@preact/signals';
import { Component } from 'preact';
import { useId } from 'preact/hooks';
import type { AnswerCall } from 'unspool';
import { ProblemView } from '../errors/problem-view.tsx';
import { formatCount } from '../ui/numbers.ts';
import { RunBar } from '../ui/run-bar.tsx';
import type { Tools, ToolsState } from './tools.ts';

/** Forms that build up while the calls of tools arrive. */
export function ToolsPanel({ tools }: { tools: Tools }) {
  const state = tools.state.value;
  const { phase, plays, answer, error } = state;
  return (
    <section class="panel" aria-labelledby="tools-title">
      <div class="panel-head">
        <h2 id="tools-title">Tools that a model calls</h2>
        <p class="small muted" role="status">
          {tell(state)}
        </p>
      </div>
      <RunBar
        isRunning={phase === 'running'}
        start={plays === 0 ? 'Play the answer' : 'Play it again'}
        stop="Cancel"
        onStart={() => void tools.start()}
        onStop={() => tools.stop()}
      >
        A recorded answer calls two tools at once, and their arguments arrive in turns. Each becomes a form from its first character on, and can be
        changed and sent as soon as it is complete.
      </RunBar>
      {phase === 'failed' && <ProblemView error={error} />}
      {answer && (
        <div class="tools" key={plays}>
          <p class="tools-text">{answer.text}</p>
          {answer.calls.map((call, index) => (
            <CallForm call={call} key={call.id ?? index} />
          ))}
        </div>
      )}
    </section>
  );
}

/** The form of a call. A finished call is the same object in every answer, and its form keeps the changes of a person. */
class CallForm extends Component<{ call: AnswerCall }> {
  override shouldComponentUpdate({ call }: { call: AnswerCall }): boolean {
    return call !== this.props.call;
  }

  override render({ call }: { call: AnswerCall }) {
    return <CallFields call={call} />;
  }
}

function CallFields({ call: { name, arguments: value, complete } }: { call: AnswerCall }) {
  // Shown without drawing the fields again, which would undo what a person has changed.
  const sent = useSignal('');
  const title = words(name);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    sent.value = `Sent: ${[...fields.values()].map(String).join(', ')}`;
  };
  return (
    <form class="tools-form" aria-label={title} aria-busy={!complete} onSubmit={send}>
      <h3>{title}</h3>
      <Fields value={value ?? {}} path={name} isOpen={!complete} />
      <div class="tools-send">
        <button class="button" type="submit" aria-disabled={!complete} disabled={!complete}>
          {complete ? title : 'The model is writing…'}
        </button>
        <p class="small muted" role="status">
          {sent}
        </p>
      </div>
    </form>
  );
}

/** A field for each part of a value so far. */
function Fields({ value, path, isOpen }: { value: object; path: string; isOpen: boolean }) {
  return (
    <div class="tools-fields">
      {Object.entries(value).map(([key, part]: [string, unknown]) => {
        const name = `${path}.${key}`;
        const label = Array.isArray(value) ? `${words(path.slice(path.lastIndexOf('.') + 1)).replace(/s$/, '')} ${Number(key) + 1}` : words(key);
        if (typeof part !== 'object' || part === null) return <Field key={key} name={name} label={label} value={part} isOpen={isOpen} />;
        return (
          <fieldset class={Array.isArray(part) ? 'tools-list' : 'tools-item'} key={key}>
            <legend>{label}</legend>
            <Fields value={part} path={name} isOpen={isOpen} />
          </fieldset>
        );
      })}
    </div>
  );
}

function Field({ name, label, value, isOpen }: { name: string; label: string; value: unknown; isOpen: boolean }) {
  const id = useId();
  if (typeof value === 'boolean') {
    return (
      <label class="check tools-check">
        <input type="checkbox" name={name} defaultChecked={value} disabled={isOpen} value={label} />
        {label}
      </label>
    );
  }
  const isLong = String(value).length > 60;
  return (
    <div class={isLong ? 'tools-field tools-long' : 'tools-field'}>
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea id={id} name={name} rows={3} readOnly={isOpen} value={String(value)} />
      ) : (
        <input id={id} name={name} inputMode={typeof value === 'number' ? 'decimal' : 'text'} readOnly={isOpen} value={String(value)} />
      )}
    </div>
  );
}

/** `price_limit` as words: `Price limit`. */
function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tell({ phase, values, answer }: ToolsState): string {
  if (phase === 'idle') return 'The forms appear here while the answer arrives.';
  if (phase === 'failed') return 'The answer was not finished.';
  if (phase === 'stopped') return 'Cancelled. What has arrived is kept.';
  if (phase === 'running') return 'The model is writing.';
  return `Both forms are complete: ${formatCount(Number(answer?.usage?.['completion_tokens']))} tokens, drawn ${formatCount(values)} times.`;
}
