import type { Signal } from '@preact/signals';
import type { OpenBody } from '../body/open-body.ts';
import { previewOf } from '../preview/preview.ts';

export type TabName =
  | 'tree'
  | 'text'
  | 'preview'
  | 'table'
  | 'size'
  | 'whatif'
  | 'diff'
  | 'timing'
  | 'messages'
  | 'rpc'
  | 'headers'
  | 'payload'
  | 'resend';

/**
 * Shows what has no value as text, or as what it plays, in place of its bytes, and the next body with a value as a tree
 * again. Who goes back to the bytes gets the bytes from then on.
 */
export class FittingTab {
  readonly #tab: Signal<TabName>;
  /** The tab that was chosen by itself. */
  #chosen: TabName | undefined;
  #areBytesWanted = false;

  constructor(tab: Signal<TabName>) {
    this.#tab = tab;
  }

  /** Chooses the tab for a body that has been opened. */
  fit(body: OpenBody): void {
    const tab = this.#tab;
    if (this.#chosen !== undefined && tab.value === 'tree') this.#areBytesWanted = true;
    const isOwn = tab.value === this.#chosen;
    this.#chosen = undefined;
    if (isOwn) tab.value = 'tree';
    if (tab.value !== 'tree' || body.tree || this.#areBytesWanted) return;
    const kind = previewOf(body)?.kind;
    if (kind === 'font' || kind === 'audio' || kind === 'video') this.#chosen = tab.value = 'preview';
    else if (body.language) this.#chosen = tab.value = 'text';
  }
}
