import { useSignal } from '@preact/signals';
import { Segments } from '../ui/segments.tsx';
import { codeFor, CODE_TARGETS, RESULT_CHOICES } from './code.ts';
import type { Playground } from './playground.ts';
import { Snippet } from '../ui/snippet.tsx';

/** Targets whose code reads the payload into a form. */
const READERS: readonly string[] = ['fetch', 'ky', 'query', 'node'];

/** The code for the payload, to copy. */
export function CodePanel({ playground: { code, suggestedCode, advice, settings, facts } }: { playground: Playground }) {
  const format = useSignal<'given' | 'suggested'>('given');
  const suggested = suggestedCode.value;
  const isSuggested = suggested !== undefined && format.value === 'suggested';
  const setting = isSuggested ? suggested : code.value!;
  const choices = RESULT_CHOICES.filter(({ value }) => value !== 'pick' || setting.pick.length > 0);
  return (
    <section class="panel" aria-labelledby="code-title">
      <div class="panel-head">
        <h2 id="code-title">The code for it</h2>
        <p class="small muted">
          {isSuggested
            ? `For ${advice.value!.form.name}${suggested.schema ? `, with the schema above as ${suggested.schema.file}` : ''}: Hono and Express send it.`
            : `For ${facts.value!.label}, with the options of the measurements above.`}
        </p>
      </div>
      <div class="form-bar">
        {suggested && (
          <Segments
            label="Format"
            value={format}
            choices={[
              { value: 'given', label: `${facts.value!.label}, as it is` },
              { value: 'suggested', label: `${advice.value!.form.name}, as suggested` },
            ]}
          />
        )}
        <Segments label="For" value={settings.code} choices={CODE_TARGETS} />
        {READERS.includes(settings.code.value) && facts.value!.records && <Segments label="Result" value={settings.as} choices={choices} />}
      </div>
      <Snippet text={codeFor(settings.code.value, setting)} label="Code" />
    </section>
  );
}
