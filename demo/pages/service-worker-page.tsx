import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Action } from '../components/action.tsx';
import { Intro } from '../components/intro.tsx';
import { Monitor } from '../components/monitor.tsx';
import { PlainFetchPanel } from '../components/plain-fetch-panel.tsx';
import { VisitsPanel } from '../components/visits-panel.tsx';
import type { AppState } from '../models/app-state.ts';
import { formatBytes } from '../models/numbers.ts';

/** What a service worker does for applications that know nothing of it. */
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
        The service worker decodes what the server sends before the page sees it: an application that knows only JSON
        gets JSON, and one that uses Unspool gets the decoded block, which the next visit opens without decoding.
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
  installing: 'Being installed',
  active: 'Answers this page’s requests',
  failed: 'Could not be installed',
};

function StatusPanel({ state: { update, visits, isOnline } }: { state: AppState }) {
  const { blocks, bytes } = visits.kept.value;
  const answer = useSignal('');
  const check = async (): Promise<void> => {
    answer.value = '';
    const isFound = await update.check().catch(() => undefined);
    if (isFound === undefined) answer.value = 'The server cannot be asked now. ';
    else if (!isFound) answer.value = 'This is the newest version. ';
  };
  const facts = [
    { label: 'Service worker', value: STATES[update.state.value] },
    { label: 'Network', value: isOnline.value ? 'Online' : 'Offline: what was kept is shown' },
    { label: 'Blocks kept', value: blocks === 0 ? 'None' : String(blocks) },
    { label: 'Storage of the blocks', value: formatBytes(bytes) },
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
          <strong role="status">{answer}</strong>A new version waits until this page asks for it. Stop the server or switch the network off and reload: all pages
          are still there, and so are the blocks.
        </p>
      </div>
    </section>
  );
}
