import { COPY_FORMS, type CopyForm, copyText, jsonOf, saveFile } from '../models/copy.ts';
import type { OpenBody } from '../models/open-body.ts';
import { nameOf } from '../models/address.ts';
import { type Panel } from '../models/panel.ts';

export function CopyMenu({ panel, body }: { panel: Panel; body: OpenBody }) {
  const exchange = panel.selection.row.value!.exchange;
  const name = nameOf(exchange.url).replaceAll(/[^\w.-]+/g, '_').slice(0, 60) || 'body';
  const copy = async (form: CopyForm, label: string): Promise<void> => {
    const sent = form === 'curl' ? await exchange.requestBody?.() : undefined;
    await panel.copy(copyText(form, body, exchange, sent && 'bytes' in sent ? sent.bytes : undefined), label);
  };
  return (
    <>
      <select
        class="field"
        aria-label="Copy the selected value"
        value=""
        onChange={(event) => {
          const form = event.currentTarget.value as CopyForm;
          event.currentTarget.value = '';
          const label = COPY_FORMS.find(({ id }) => id === form)?.label;
          if (label) void copy(form, label);
        }}
      >
        <option value="">Copy…</option>
        {COPY_FORMS.map(({ id, label }) => (
          <option value={id} key={id}>
            {label}
          </option>
        ))}
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
