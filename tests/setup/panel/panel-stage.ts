import { afterEach, beforeEach } from 'vitest';
import { createPageAdapter, type PageAdapter, type PageSource } from '../../../devtools-extension/adapter/page.ts';
import { type MountedPanel, mountPanel } from '../../../devtools-extension/panel/mount.tsx';
import { schemaFiles, schemaMappings } from '../../../devtools-extension/panel/schemas/schemas.ts';
import '../../../devtools-extension/panel/styles/index.css';

/** Mounts the panel in the page, with clean state for each test. Its worker is one file, see `worker-scripts.ts`. */
export interface PanelStage {
  readonly element: HTMLElement;
  readonly panel: MountedPanel['panel'];
  /** Opens the panel; may be called again. */
  mount(source?: PageSource): PageAdapter;
  close(): void;
}

export function stagePanel(): PanelStage {
  let element: HTMLElement;
  let mounted: MountedPanel | undefined;

  beforeEach(() => {
    localStorage.clear();
    schemaFiles.value = [];
    schemaMappings.value = [];
    element = document.createElement('div');
    element.style.cssText = 'height: 600px; width: 1100px';
    document.body.append(element);
  });

  afterEach(() => {
    mounted?.close();
    element.remove();
  });

  return {
    get element() {
      return element;
    },
    get panel() {
      return mounted!.panel;
    },
    mount(source = {}) {
      const adapter = createPageAdapter({ theme: 'light', ...source });
      mounted = mountPanel(element, adapter);
      return adapter;
    },
    close() {
      mounted!.close();
    },
  };
}
