import { MAP, STRING, TEXT } from '../../../core/sinks/spans/tree.ts';
import { isMisfit } from '../../describe/with-schema/protobuf.ts';
import type { OpenBody } from '../body/open-body.ts';
import { isMapKey, previewText, shownKey, valueText } from '../../values/value-text.ts';
import type { Panel } from '../panel.ts';
import { copyValue, treeMenu } from './tree-menu.ts';
import { rowSize } from './tree-layout.ts';
import { visibleLines, visibleName } from '../../text/visible-text.ts';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const INDENT = 14;
const TOOLTIP_LENGTH = 2_000;
/** Maximum number of keys counted for an entry's position. */
const MAX_COUNTED = 2_000;

export function TreePane({ panel, body }: { panel: Panel; body: OpenBody }) {
  const tree = body.tree!;
  const view = body.view!;
  const rows = view.rows.value;
  const selected = body.selected.value;
  const index = view.indexOf(selected);
  if (rows.length === 0) return <div class="empty">No value could be read.</div>;
  return (
    <VirtualList
      class="tree"
      role="tree"
      label="Decoded value"
      count={rows.length}
      rowHeight={20}
      show={index}
      showKey={selected}
      activeId={index >= 0 ? `node-${selected}` : undefined}
      row={(at) => <TreeRow key={rows[at]!} panel={panel} body={body} node={rows[at]!} isSelected={rows[at] === selected} />}
      onKeyDown={(event) => {
        const { parents } = tree.data;
        if (event.key === 'c' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          return void panel.copy(copyValue(body), 'Value');
        }
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return panel.menu.show(event, 'Value', treeMenu(panel, body));
        let next = movedRow(event.key, index, rows.length);
        if (event.key === 'ArrowRight') {
          if (view.canOpen(selected) && !view.isOpen(selected)) view.open(selected);
          else if (view.isOpen(selected)) next = index + 1;
        } else if (event.key === 'ArrowLeft') {
          if (view.isOpen(selected)) view.close(selected);
          else next = view.indexOf(parents[selected]!);
        } else if (event.key === 'Enter' || event.key === ' ') {
          view.toggle(selected);
        } else if (next === undefined) {
          return;
        }
        event.preventDefault();
        if (next !== undefined && next >= 0) body.select(rows[next]!);
      }}
    />
  );
}

/** Position for screen readers, because only some of the rows are in the DOM. */
function placeAmongSiblings({ tree, view }: OpenBody, node: number): { 'aria-setsize': number; 'aria-posinset': number } {
  const { parents, nexts } = tree!.data;
  const parent = parents[node]!;
  if (tree!.data.kinds[parent] === MAP) {
    const shown = tree!.children(parent, MAX_COUNTED).filter((child) => !isMapKey(tree!, child));
    return { 'aria-setsize': tree!.childCount(parent) < MAX_COUNTED ? shown.length : -1, 'aria-posinset': shown.indexOf(node) + 1 };
  }
  const key = tree!.key(node);
  let place = typeof key === 'number' ? key + 1 : 1;
  if (typeof key !== 'number') {
    for (let at = parent + 1; at < node && place < MAX_COUNTED; at = nexts[at]!) place += 1;
  }
  const hidden = view!.foldedIn(parent);
  return { 'aria-setsize': place < MAX_COUNTED ? Math.max(place, tree!.childCount(parent)) - hidden : -1, 'aria-posinset': place - hidden };
}

function TreeRow({ panel, body, node, isSelected }: { panel: Panel; body: OpenBody; node: number; isSelected: boolean }) {
  const tree = body.tree!;
  const view = body.view!;
  const key = shownKey(tree, node);
  const depth = tree.depth(node);
  const { text, kind } = valueText(tree, node);
  const isFolded = view.foldedIn(node) > 0;
  const canOpen = view.canOpen(node);
  const isOpen = view.isOpen(node);
  return (
    <div
      id={`node-${node}`}
      role="treeitem"
      class={`tree-row${isSelected ? ' is-selected' : ''}`}
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(canOpen ? { 'aria-expanded': isOpen } : {})}
      {...placeAmongSiblings(body, node)}
      style={{ paddingLeft: `${6 + depth * INDENT}px` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        if ((event.target as HTMLElement).classList.contains('twisty')) view.toggle(node);
        else body.select(node);
      }}
      onContextMenu={(event) => {
        body.select(node);
        panel.menu.show(event, 'Value', treeMenu(panel, body));
      }}
      onDblClick={() => view.toggle(node)}
    >
      <span class={`twisty${canOpen ? (isOpen ? ' is-open' : '') : ' is-leaf'}`} aria-hidden="true" />
      {key !== undefined && (
        <>
          {typeof key === 'number' ? <span class="index">{key}</span> : <KeyName name={key} />}
          <span class="colon">: </span>
        </>
      )}
      <span class={`value value-${kind}`} onPointerEnter={(event) => (event.currentTarget.title = tooltipOf(body, node))}>
        {!isFolded && text}
      </span>
      {canOpen && !isOpen && <span class="preview">{previewText(tree, view.previewed(node))}</span>}
      <span
        class={`encoding${isMisfit(tree, node) ? ' is-misfit' : ''}`}
        title={[body.describe(node).name, body.note(node)].filter((part) => part !== '').join(' · ')}
      >
        {body.typeText(node)}
      </span>
      <span class="row-size">{rowSize(body, node)}</span>
    </div>
  );
}

/** Full text of a value for its tooltip, within limits. */
function tooltipOf({ tree }: OpenBody, node: number): string {
  const { kinds } = tree!.data;
  if (kinds[node] !== STRING && kinds[node] !== TEXT) return valueText(tree!, node).text;
  const text = tree!.text(node, TOOLTIP_LENGTH + 1);
  return visibleLines(text.length > TOOLTIP_LENGTH ? `${text.slice(0, TOOLTIP_LENGTH)}…` : text);
}

/** Keeps a minimum width, so that the value shrinks first. */
function KeyName({ name }: { name: string }) {
  return (
    <span class="key" style={{ minWidth: `${Math.min(name.length, 4)}ch` }}>
      {visibleName(name)}
    </span>
  );
}
