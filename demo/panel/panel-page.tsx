import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Action } from '../ui/action.tsx';
import { Intro } from '../site/intro.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import type { AppState } from '../app-state.ts';
import { showPanel } from './panel-view.ts';
import { askForSamples } from './samples.ts';

/** The DevTools panel, embedded in the page. */
export function PanelPage({ state: { pages, theme, log } }: { state: AppState }) {
  const place = useRef<HTMLDivElement>(null);
  const problem = useSignal<unknown>(undefined);

  useEffect(() => {
    const shown = showPanel(place.current!, log, theme);
    shown.ready.catch((error: unknown) => {
      problem.value = error;
    });
    return () => shown.close();
  }, [log, theme, problem]);

  return (
    <>
      <section class="panel-intro" aria-label="About this page">
        <Intro pages={pages}>
          Unspool’s DevTools panel, shown here with the requests of this demo. Select one, or drop a payload or a schema on the panel.
        </Intro>
        <Action onClick={() => void askForSamples(log)}>Request the samples again</Action>
      </section>
      {problem.value !== undefined && <ProblemView error={problem.value} by="The panel" />}
      <div class="panel-frame" ref={place} />
    </>
  );
}
