import { useEffect } from 'preact/hooks';
import { effect } from '@preact/signals';
import type { AppState } from '../app-state.ts';
import { Intro } from '../site/intro.tsx';
import { CodePanel } from './code-panel.tsx';
import { DescriptionsPanel } from './descriptions-panel.tsx';
import { FormsPanel } from './forms-panel.tsx';
import { hashOf } from './playground.ts';
import { ReadingsPanel } from './measuring/readings-panel.tsx';
import { SourcePanel } from './source/source-panel.tsx';
import { WhatPanel } from './what-panel.tsx';

/** A payload of the visitor: what it is, how it reads, what it would be in other formats, and the code for it. */
export function PlaygroundPage({ state: { pages, theme, playground } }: { state: AppState }) {
  const { facts, readings } = playground;
  useEffect(() => effect(() => history.replaceState(history.state, '', hashOf(playground.settings))), [playground]);
  return (
    <main>
      <Intro pages={pages}>
        Your own payload: what is in it, byte by byte, how fast this browser reads it, and what it would be in another format. Nothing of it leaves
        this page.
      </Intro>
      <SourcePanel playground={playground} />
      <WhatPanel playground={playground} theme={theme} />
      {facts.value && (
        <>
          <DescriptionsPanel playground={playground} />
          {readings.value.length > 0 && <ReadingsPanel playground={playground} />}
          <FormsPanel playground={playground} />
          <CodePanel playground={playground} />
        </>
      )}
    </main>
  );
}
