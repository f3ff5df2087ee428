import { sentBody } from '../../adapter/connect-get.ts';
import type { Exchange } from '../../adapter/adapter.ts';
import { addressOf } from '../../text/address.ts';
import { curlOf } from '../copy/copy-curl.ts';
import { fetchOf } from '../copy/copy-fetch.ts';
import type { MenuItem } from '../shared/menu.ts';
import type { Panel } from '../panel.ts';
import type { Row } from './row.ts';

/** Writes a request as text, with its body. */
type Writer = (exchange: Exchange, sent: Uint8Array | undefined) => string;

async function written({ exchange }: Row, write: Writer): Promise<string> {
  const sent = await sentBody(exchange);
  return write(exchange, sent && 'bytes' in sent ? sent.bytes : undefined);
}

/** Context menu of several requests. */
export function chosenMenu(panel: Panel, rows: readonly Row[]): MenuItem[] {
  const copyAll = async (write: Writer, what: string): Promise<void> => {
    const texts = await Promise.all(rows.map((row) => written(row, write)));
    await panel.copy(texts.join('\n'), `${rows.length} ${what}`);
  };
  return [
    { label: `Copy ${rows.length} URLs`, run: () => void copyAll(({ url }) => url, 'URLs') },
    { label: `Copy ${rows.length} requests as cURL`, run: () => void copyAll(curlOf, 'commands') },
    { label: `Copy ${rows.length} requests as fetch`, run: () => void copyAll(fetchOf, 'calls') },
  ];
}

/** Context menu of a request. */
export function requestMenu(panel: Panel, row: Row): MenuItem[] {
  const { selection, requests } = panel;
  const { exchange } = row;
  const withBody = async (write: Writer, what: string): Promise<void> => panel.copy(await written(row, write), what);
  const headers = (): string => exchange.responseHeaders.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return [
    { label: 'Copy URL', run: () => void panel.copy(exchange.url, 'URL') },
    { label: 'Copy as cURL', run: () => void withBody(curlOf, 'Command') },
    { label: 'Copy as fetch', run: () => void withBody(fetchOf, 'Call') },
    { label: 'Copy response headers', run: () => void panel.copy(headers(), 'Headers') },
    ...(exchange.requestBody ? [{ label: 'Open request body', run: () => void selection.select(exchange.id, 'request') }] : []),
    ...(panel.resend.canSend(exchange)
      ? [
          {
            label: 'Edit and send again',
            run: () =>
              void selection.select(exchange.id).then(() => {
                selection.tab.value = 'resend';
              }),
          },
        ]
      : []),
    {
      label: 'Compare others with this',
      run: () =>
        void selection.select(exchange.id).then(() => {
          selection.keepBase();
          selection.tab.value = 'diff';
        }),
    },
    {
      label: 'Filter by this address',
      run: () => {
        requests.text.value = addressOf(exchange.url);
      },
    },
    { label: 'Clear the list', run: () => panel.clear() },
  ];
}
