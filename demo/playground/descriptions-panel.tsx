import { useSignal } from '@preact/signals';
import type { InferredForm } from '../../devtools-extension/index.ts';
import { Segments } from '../ui/segments.tsx';
import type { Playground } from './playground.ts';
import { Snippet } from '../ui/snippet.tsx';

const FORMS: readonly { value: InferredForm; label: string }[] = [
  { value: 'typescript', label: 'TypeScript' },
  { value: 'proto', label: '.proto' },
  { value: 'avsc', label: 'Avro schema' },
];

/** Types inferred from the payload. */
export function DescriptionsPanel({ playground: { descriptions } }: { playground: Playground }) {
  const form = useSignal<InferredForm>('typescript');
  const found = descriptions.value[form.value];
  return (
    <section class="panel" aria-labelledby="types-title">
      <div class="panel-head">
        <h2 id="types-title">Its type</h2>
        <p class="small muted">Inferred from this payload: another may have more keys.</p>
      </div>
      <div class="form-bar">
        <Segments label="Form of the type" value={form} choices={FORMS} compact />
      </div>
      {!found ? (
        <p class="small muted">Reading every value…</p>
      ) : 'text' in found ? (
        <Snippet text={found.text} label="Inferred type" />
      ) : (
        <p class="small muted">{found.problem}</p>
      )}
    </section>
  );
}
