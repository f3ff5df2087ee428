import { type JSX, render } from 'preact';
import type { Adapter } from '../adapter/adapter.ts';
import { createReadingClient } from '../reading/worker/client.ts';
import { App } from './app.tsx';
import { Panel } from './panel.ts';

/** A mounted panel. */
export interface MountedPanel {
  panel: Panel;
  close(): void;
}

/** Mounts the panel in an element, or another view of its models. */
export function mountPanel(element: Element, adapter: Adapter, View: (props: { panel: Panel }) => JSX.Element = App): MountedPanel {
  const client = createReadingClient();
  const panel = new Panel(adapter, client);
  const { dataset } = document.documentElement;
  if (adapter.theme !== 'system') dataset['theme'] = adapter.theme;
  adapter.watchTheme?.((theme) => {
    dataset['theme'] = theme;
  });
  const stop = panel.start();
  render(<View panel={panel} />, element);
  return {
    panel,
    close() {
      stop();
      client.close();
      render(null, element);
    },
  };
}
