import { Detail } from './detail/detail.tsx';
import type { Panel } from './panel.ts';
import type { TabName } from './selection/tab.ts';
import { ContextMenuView } from './shared/context-menu.tsx';

/** Views of a payload that need no request. */
const TABS: readonly TabName[] = ['tree', 'text', 'table', 'size'];

/** The views of one payload, for pages that embed them. */
export function BodyApp({ panel }: { panel: Panel }) {
  return (
    <div class="app">
      <Detail panel={panel} tabs={TABS} />
      <ContextMenuView menu={panel.menu} />
      <div class="visually-hidden" role="status">
        {panel.notice.value}
      </div>
    </div>
  );
}
