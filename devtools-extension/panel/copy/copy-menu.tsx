import type { InferredForm } from '../../reading/protocol.ts';
import { copyForms, copyText, jsonOf, saveFile } from './copy.ts';
import type { OpenBody } from '../body/open-body.ts';
import { nameOf } from '../../text/address.ts';
import { type Panel } from '../panel.ts';
import type { MenuItem } from '../shared/menu.ts';

const INFERRED: readonly { id: InferredForm; label: string }[] = [
  { id: 'typescript', label: 'TypeScript type' },
  { id: 'proto', label: '.proto schema' },
  { id: 'avsc', label: '.avsc schema' },
];

/** Buttons that copy the selection, or what is inferred from the whole value, and save the body. */
export function CopyMenu({ panel, body }: { panel: Panel; body: OpenBody }) {
  const copies: MenuItem[] = [
    ...copyItems(panel, body),
    ...INFERRED.map(({ id, label }) => ({ label: `${label} of the whole value`, run: () => void copyInferred(panel, body, id, label) })),
  ];
  const name =
    nameOf(panel.selection.row.value!.exchange.url)
      .replaceAll(/[^\w.-]+/g, '_')
      .slice(0, 60) || 'body';
  const saves: MenuItem[] = [
    { label: 'Value as JSON', run: () => saveFile(`${name}.json`, jsonOf(body, body.tree!.root), 'application/json') },
    { label: 'Bytes', run: () => saveFile(name, body.bytes as Uint8Array<ArrayBuffer>) },
  ];
  return (
    <>
      <MenuButton panel={panel} label="Copy…" name="Copy the selected value" items={copies} />
      <MenuButton panel={panel} label="Save…" name="Save the body" items={saves} />
    </>
  );
}

function MenuButton({ panel, label, name, items }: { panel: Panel; label: string; name: string; items: readonly MenuItem[] }) {
  return (
    <button class="button" aria-haspopup="menu" aria-label={name} tabIndex={0} onClick={(event) => panel.menu.show(event, name, items)}>
      {label}
    </button>
  );
}

/** Menu items that copy the selection. */
export function copyItems(panel: Panel, body: OpenBody): MenuItem[] {
  return copyForms(body).map(({ id, label }) => ({ label, run: () => void panel.copy(copyText(id, body), label) }));
}

async function copyInferred(panel: Panel, body: OpenBody, form: InferredForm, label: string): Promise<void> {
  try {
    const request = { bytes: body.content, format: body.format!, sequence: body.detection.sequence, schema: body.schema, form };
    await panel.copy(await panel.client.call('infer', request), label);
  } catch (error) {
    panel.notice.value = (error as Error).message;
  }
}
