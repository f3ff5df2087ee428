import type { InferredForm } from '../../reading/protocol.ts';
import { copyForms, copyText, jsonOf, saveFile } from './copy.ts';
import type { OpenBody } from '../body/open-body.ts';
import { nameOf } from '../../text/address.ts';
import { type Panel } from '../panel.ts';

const INFERRED: readonly { id: InferredForm; label: string }[] = [
  { id: 'typescript', label: 'TypeScript type' },
  { id: 'proto', label: '.proto schema' },
  { id: 'avsc', label: '.avsc schema' },
];

export function CopyMenu({ panel, body }: { panel: Panel; body: OpenBody }) {
  const exchange = panel.selection.row.value!.exchange;
  const name =
    nameOf(exchange.url)
      .replaceAll(/[^\w.-]+/g, '_')
      .slice(0, 60) || 'body';
  const inferred = async (form: InferredForm): Promise<void> => {
    try {
      const request = { bytes: body.content, format: body.format!, sequence: body.detection.sequence, schema: body.schema, form };
      await panel.copy(await panel.client.call('infer', request), INFERRED.find(({ id }) => id === form)!.label);
    } catch (error) {
      panel.notice.value = (error as Error).message;
    }
  };
  return (
    <>
      <select
        class="field"
        aria-label="Copy the selected value"
        value=""
        onChange={(event) => {
          const form = event.currentTarget.value;
          event.currentTarget.value = '';
          const copied = copyForms(body).find(({ id }) => id === form);
          if (copied) void panel.copy(copyText(copied.id, body), copied.label);
          else if (form !== '') void inferred(form as InferredForm);
        }}
      >
        <option value="">Copy…</option>
        <optgroup label="Selected value">
          {copyForms(body).map(({ id, label }) => (
            <option value={id} key={id}>
              {label}
            </option>
          ))}
        </optgroup>
        <optgroup label="Inferred from the whole value">
          {INFERRED.map(({ id, label }) => (
            <option value={id} key={id}>
              {label}
            </option>
          ))}
        </optgroup>
      </select>
      <select
        class="field"
        aria-label="Save the body"
        value=""
        onChange={(event) => {
          const form = event.currentTarget.value;
          event.currentTarget.value = '';
          if (form === 'raw') saveFile(name, body.bytes as Uint8Array<ArrayBuffer>);
          else if (form === 'json') saveFile(`${name}.json`, jsonOf(body, body.tree!.root), 'application/json');
        }}
      >
        <option value="">Save…</option>
        <option value="json">Value as JSON</option>
        <option value="raw">Bytes</option>
      </select>
    </>
  );
}
