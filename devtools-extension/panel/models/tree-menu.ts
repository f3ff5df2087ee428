import { NONE, STRING, TEXT } from '../../../worker/sinks/spans/tree.ts';
import { COPY_FORMS, copyText, jsonOf } from './copy.ts';
import type { MenuItem } from './menu.ts';
import type { OpenBody } from './open-body.ts';
import type { Panel } from './panel.ts';

/** The selected value as people want it on the clipboard: a string as it is, anything else as JSON. */
export function copyValue(body: OpenBody): string {
  const tree = body.tree!;
  const selected = body.selected.peek();
  const node = selected === NONE || selected === 0 ? tree.root : selected;
  if (node === NONE) return '';
  const kind = tree.data.kinds[node];
  return kind === STRING || kind === TEXT ? tree.text(node) : jsonOf(body, node);
}

/** What can be done with the selected value. */
export function treeMenu(panel: Panel, body: OpenBody): MenuItem[] {
  const { exchange } = panel.selection.row.peek()!;
  const copies = COPY_FORMS.filter(({ id }) => id !== 'curl').map(({ id, label }) => ({ label: `Copy ${label.toLowerCase()}`, run: () => void panel.copy(copyText(id, body, exchange), label) }));
  return [{ label: 'Copy', run: () => void panel.copy(copyValue(body), 'Value') }, ...copies];
}
