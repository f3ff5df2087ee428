import type { Signal } from '@preact/signals';
import type { OpenBody } from '../body/open-body.ts';
import { isText } from '../../reading/file-types/signatures.ts';

export type TabName =
  | 'tree'
  | 'text'
  | 'table'
  | 'size'
  | 'whatif'
  | 'diff'
  | 'timing'
  | 'messages'
  | 'merged'
  | 'rpc'
  | 'headers'
  | 'payload'
  | 'resend';

/**
 * Opens text without a decoded value as text, and returns to the tree for the next body with one. Stops doing so once the
 * user goes back to the bytes.
 */
export class FittingTab {
  readonly #tab: Signal<TabName>;
  /** Tab that was chosen automatically. */
  #chosen: TabName | undefined;
  #areBytesWanted = false;

  constructor(tab: Signal<TabName>) {
    this.#tab = tab;
  }

  /** Chooses the tab for a newly opened body. */
  fit(body: OpenBody): void {
    const tab = this.#tab;
    if (this.#chosen !== undefined && tab.value === 'tree') this.#areBytesWanted = true;
    const isOwn = tab.value === this.#chosen;
    this.#chosen = undefined;
    if (isOwn) tab.value = 'tree';
    if (tab.value !== 'tree' || body.tree || this.#areBytesWanted) return;
    if (isTextBody(body)) this.#chosen = tab.value = 'text';
  }
}

/** True for text in UTF-8, or in the encoding that a text type names. */
function isTextBody({ bytes, contentType }: OpenBody): boolean {
  return bytes.length > 0 && (isText(bytes) || /^\s*text\//i.test(contentType));
}
