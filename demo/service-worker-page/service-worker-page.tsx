import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Action } from '../ui/action.tsx';
import { Intro } from '../site/intro.tsx';
import { Monitor } from '../frames/monitor.tsx';
import { PlainFetchPanel } from './plain-fetch-panel.tsx';
import { VisitsPanel } from './visits-panel.tsx';
import type { AppState } from '../app-state.ts';
import { formatBytes } from '../ui/numbers.ts';

/** Shows how a service worker decodes for applications. */
export function ServiceWorkerPage({ state }: { state: AppState }) {
  const { pages, monitor, palette, plain, visits, update } = state;
  const isReady = update.state.value === 'active';

  useEffect(() => {
    void visits.look();
  }, [visits]);
  useEffect(() => {
    if (isReady && visits.isDue()) void visits.visit();
  }, [visits, isReady]);

  return (
    <main>
      <Intro pages={pages}>
        The service worker decodes responses before the page receives them: an application that knows only JSON gets JSON, and one that uses Unspool
        gets a decoded block, which the next visit opens without decoding.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <StatusPanel state={state} />
      <PlainFetchPanel plain={plain} isReady={isReady} />
      <VisitsPanel visits={visits} isReady={isReady} />
    </main>
  );
}

const STATES = {
  none: 'Not available in this page',
  installing: 'Installing',
  active: 'Handles this page’s requests',
  failed: 'Installation failed',
};

function StatusPanel({ state: { update, visits, isOnline } }: { state: AppState }) {
  const { blocks, bytes } = visits.kept.value;
  const answer = useSignal('');
  const check = async (): Promise<void> => {
    answer.value = '';
    const isFound = await update.check().catch(() => undefined);
    if (isFound === undefined) answer.value = 'The server cannot be reached. ';
    else if (!isFound) answer.value = 'This is the newest version. ';
  };
  const facts = [
    { label: 'Service worker', value: STATES[update.state.value] },
    { label: 'Network', value: isOnline.value ? 'Online' : 'Offline: cached data is shown' },
    { label: 'Cached blocks', value: blocks === 0 ? 'None' : String(blocks) },
    { label: 'Storage used by blocks', value: formatBytes(bytes) },
  ];
  return (
    <section class="panel" aria-labelledby="status-title">
      <h2 id="status-title" class="visually-hidden">
        State
      </h2>
      <dl class="facts">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="run-bar">
        <div class="actions">
          <Action disabled={update.state.value !== 'active'} onClick={() => void check()}>
            Look for a new version
          </Action>
          <Action disabled={blocks === 0} onClick={() => void visits.clear()}>
            Clear the cache
          </Action>
        </div>
        <p class="small muted">
          <strong role="status">{answer}</strong>A new version waits until you load it. Stop the server or go offline and reload: all pages and cached
          blocks are still available.
        </p>
      </div>
    </section>
  );
}
