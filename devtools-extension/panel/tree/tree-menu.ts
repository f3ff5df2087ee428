import type { Exchange } from '../../adapter/adapter.ts';
import { NONE, STRING, TEXT } from '../../../core/sinks/spans/tree.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { jsonOf } from '../copy/copy.ts';
import { copyItems } from '../copy/copy-menu.tsx';
import { isOfPage, otherPageMessage } from '../page/page-access.ts';
import { insideOf } from '../value/inside.ts';
import type { MenuItem } from '../shared/menu.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';

/** Text for the clipboard: strings as they are, other values as JSON. */
export function copyValue(body: OpenBody): string {
  const tree = body.tree!;
  const selected = body.selected.peek();
  const node = selected === NONE || selected === 0 ? tree.root : selected;
  if (node === NONE) return '';
  const kind = tree.data.kinds[node];
  return kind === STRING || kind === TEXT ? tree.text(node) : jsonOf(body, node);
}

/** Formats offered for payloads inside values. */
const INSIDE_FORMATS: readonly FormatId[] = ['json', 'messagepack', 'cbor', 'protobuf', 'bson'];

/** Context menu of the selected value. */
export function treeMenu(panel: Panel, body: OpenBody): MenuItem[] {
  const { exchange } = panel.selection.row.peek()!;
  const copies = copyItems(panel, body).map(({ label, run }) => ({ label: `Copy ${label.toLowerCase()}`, run }));
  const opens = insideOf(body, body.selected.peek()).flatMap((inside) => {
    const open = (format?: FormatId): void => void panel.selection.openInside(body.selected.peek(), inside, { format });
    const name = inside.how === 'bytes' || inside.how === 'text' ? 'Open payload' : `Open ${inside.how} payload`;
    if (inside.how === 'text') return [{ label: name, run: () => open() }];
    return [{ label: name, run: () => open() }, ...INSIDE_FORMATS.map((format) => ({ label: `${name} as ${format}`, run: () => open(format) }))];
  });
  const { adapter } = panel;
  const node = body.selected.peek();
  const toConsole = adapter.storeInConsole
    ? [
        {
          label: 'Store as $u in the console',
          run: () => void storeInConsole(panel, exchange, jsonOf(body, node === NONE || node === 0 ? body.tree!.root : node)),
        },
      ]
    : [];
  return [...opens, ...toConsole, { label: 'Copy', run: () => void panel.copy(copyValue(body), 'Value') }, ...copies];
}

/** Gives a value to the current page, if it may receive the request's data. */
async function storeInConsole({ adapter, notice }: Panel, exchange: Exchange, json: string): Promise<void> {
  const origin = await adapter.pageOrigin?.();
  const isAllowed = origin !== undefined && isOfPage(exchange, origin);
  if (origin !== undefined && !isAllowed) notice.value = otherPageMessage(exchange, origin);
  else
    notice.value = isAllowed && (await adapter.storeInConsole!(json, origin)) ? 'Stored as $u in the console.' : 'The page did not accept the value.';
}
