import { useEffect } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { Monitor } from '../frames/monitor.tsx';
import { Intro } from '../site/intro.tsx';
import { ChatPanel } from './chat-panel.tsx';
import { TicksPanel } from './ticks-panel.tsx';
import { ToolsPanel } from './tools-panel.tsx';

/** Messages of a socket, forms of the calls of a language model, and a value that builds up. */
export function LivePage({ state: { pages, monitor, palette, ticks, chat, tools } }: { state: AppState }) {
  useEffect(
    () => () => {
      ticks.stop();
      chat.stop();
      tools.stop();
    },
    [ticks, chat, tools],
  );
  return (
    <main>
      <Intro pages={pages}>
        A socket sends prices faster than a page can draw them, and a language model writes JSON a few characters at a time. Both are decoded as they
        arrive, at most one value per frame.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <TicksPanel ticks={ticks} />
      <ToolsPanel tools={tools} />
      <ChatPanel chat={chat} />
    </main>
  );
}
