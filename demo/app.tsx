import { Header } from './site/header.tsx';
import { UpdatePrompt } from './site/update-prompt.tsx';
import type { AppState } from './app-state.ts';
import type { PageId } from './site/pages.ts';
import { LivePage } from './live/live-page.tsx';
import { PanelPage } from './panel/panel-page.tsx';
import { PlaygroundPage } from './playground/playground-page.tsx';
import { RacePage } from './race/race-page.tsx';
import { RefetchingPage } from './refetching/refetching-page.tsx';
import { ServiceWorkerPage } from './service-worker-page/service-worker-page.tsx';
import { StreamingPage } from './streaming/streaming-page.tsx';
import { TablePage } from './table-page/table-page.tsx';

const PAGE_VIEWS = {
  race: RacePage,
  playground: PlaygroundPage,
  streaming: StreamingPage,
  table: TablePage,
  live: LivePage,
  refetching: RefetchingPage,
  'service-worker': ServiceWorkerPage,
  panel: PanelPage,
} satisfies Record<PageId, unknown>;

/** True for a page in a frame of the site, which has the heading and the theme. */
const isEmbedded = new URLSearchParams(location.search).has('embedded');

export function App({ state }: { state: AppState }) {
  const { id } = state.pages.current.value;
  const Page = PAGE_VIEWS[id];
  return (
    <div class={`page page-${id}${isEmbedded ? ' page-embedded' : ''}`}>
      {!isEmbedded && <Header pages={state.pages} theme={state.theme} isOnline={state.isOnline} />}
      <Page state={state} key={id} />
      <UpdatePrompt update={state.update} />
    </div>
  );
}
