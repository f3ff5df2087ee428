import type { Panel } from './panel.ts';
import { storedSignal } from './shared/settings.ts';
import { ContextMenuView } from './shared/context-menu.tsx';
import { closeDetail, Detail } from './detail/detail.tsx';
import { RequestList } from './requests/request-list.tsx';
import { SchemaPanel } from './schemas/schema-panel.tsx';
import { SessionView } from './session/session-view.tsx';
import { Split } from './shared/split.tsx';
import { Toolbar } from './toolbar.tsx';

const listShare = storedSignal('list-share', 0.3);
const sessionShare = storedSignal('session-share', 0.5);

export function App({ panel }: { panel: Panel }) {
  const { session, selection } = panel;
  const isSession = session.isOpen.value;
  return (
    <main
      class="app"
      onKeyDown={(event) => {
        // Fields and menus use Escape themselves.
        if (event.key !== 'Escape' || event.defaultPrevented || (event.target as HTMLElement).closest('input, textarea, select, [role=menu], dialog'))
          return;
        const isOpen = selection.id.value !== undefined;
        if (!isOpen && !isSession) return;
        // DevTools would open its drawer.
        event.preventDefault();
        event.stopPropagation();
        if (isOpen) closeDetail(panel, event.currentTarget);
        else session.isOpen.value = false;
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void panel.files.open([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h1 class="visually-hidden">Unspool</h1>
      <Toolbar panel={panel} />
      {panel.schemas.isOpen.value && <SchemaPanel panel={panel} />}
      <Split
        class={isSession ? 'app-split session-split' : 'app-split'}
        share={isSession ? sessionShare : listShare}
        label={isSession ? 'Width of the session' : 'Width of the list'}
        isFirstAlone={selection.row.value === undefined}
        first={isSession ? <SessionView panel={panel} /> : <RequestList panel={panel} />}
        second={<Detail panel={panel} />}
      />
      <ContextMenuView menu={panel.menu} />
      <div class="visually-hidden" role="status">
        {panel.notice.value}
      </div>
    </main>
  );
}
