import { Header } from './components/header.tsx';
import { UpdatePrompt } from './components/update-prompt.tsx';
import type { AppState } from './models/app-state.ts';
import type { PageId } from './models/pages.ts';
import { PanelPage } from './pages/panel-page.tsx';
import { RacePage } from './pages/race-page.tsx';
import { ServiceWorkerPage } from './pages/service-worker-page.tsx';
import { StreamingPage } from './pages/streaming-page.tsx';

const PAGE_VIEWS = {
  race: RacePage,
  streaming: StreamingPage,
  'service-worker': ServiceWorkerPage,
  panel: PanelPage,
} satisfies Record<PageId, unknown>;

export function App({ state }: { state: AppState }) {
  const { id } = state.pages.current.value;
  const Page = PAGE_VIEWS[id];
  return (
    <div class={`page page-${id}`}>
      <Header pages={state.pages} theme={state.theme} isOnline={state.isOnline} />
      <Page state={state} key={id} />
      <UpdatePrompt update={state.update} />
    </div>
  );
}
