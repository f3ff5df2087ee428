import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { MergedEvents } from '../../reading/protocol.ts';
import { mergeKindOf, type MergeKind } from '../../reading/merged/merge-kind.ts';
import { payloadsOf, textOf } from '../../reading/framings/framing.ts';
import { findFraming } from '../../reading/framings/index.ts';
import { counted } from '../../text/numbers.ts';
import { visible, visibleLines } from '../../text/visible-text.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { Note } from '../shared/note.tsx';
import { useNewMessages } from './use-new-messages.ts';

/** Texts of the first `most` events of the selected stream, or of the parts of an open multipart response. */
function eventsOf({ selection }: Panel, body: OpenBody | undefined, most = Infinity): string[] {
  if (selection.row.value?.exchange.messages)
    return selection.messages.value
      .slice(0, most)
      .filter(({ name }) => name !== undefined)
      .map(({ bytes }) => textOf(bytes));
  if (!body?.detection.wrappings.includes('multipart')) return [];
  const framing = findFraming(body.bytes, { contentType: body.contentType });
  return framing
    ? payloadsOf(framing)
        .slice(0, most)
        .map(({ from, end }) => textOf(body.bytes, from, end))
    : [];
}

/** How the events of the selected request add up; undefined if they do not. */
export function mergeKindIn(panel: Panel, body: OpenBody | undefined): MergeKind | undefined {
  const [first] = eventsOf(panel, body, 1);
  return first === undefined ? undefined : mergeKindOf(first);
}

/** The sum of a stream's events so far: the answer of a language model, or a value of GraphQL with its later parts. */
export function MergedView({ panel, body, kind }: { panel: Panel; body: OpenBody | undefined; kind: MergeKind }) {
  const merged = useSignal<MergedEvents | undefined>(undefined);
  useNewMessages(panel);
  const events = eventsOf(panel, body);
  useEffect(() => {
    const stop = new AbortController();
    panel.client.call('mergeEvents', { kind, events }, { signal: stop.signal }).then(
      (answer) => (merged.value = answer),
      () => {},
    );
    return () => stop.abort();
  }, [kind, events.length, events.at(-1)]);
  if (!merged.value) return <Note title="Reading…">Merging the events.</Note>;
  const { text, isJson, reasoning, calls, end, problem } = merged.value;
  const parts = [...(text === '' ? [] : [text]), ...calls];
  return (
    <div class="merged-view" tabIndex={0} role="region" aria-label="Merged events">
      <div class="view-bar">
        <span class="muted">
          {isJson ? 'GraphQL result' : 'Answer'} of {counted(events.length, 'event')}
          {end === '' ? ', not complete' : `, ${visible(end)}`}
        </span>
        <button class="button button-small" onClick={() => void panel.copy(parts.join('\n'), isJson ? 'Result' : 'Answer')}>
          Copy
        </button>
      </div>
      {problem !== '' && (
        <p class="error-line" role="alert">
          {visible(problem)}
        </p>
      )}
      {reasoning !== '' && (
        <details>
          <summary>Reasoning</summary>
          <pre>{visibleLines(reasoning)}</pre>
        </details>
      )}
      {parts.map((part, index) => (
        <pre key={index}>{visibleLines(part)}</pre>
      ))}
    </div>
  );
}
