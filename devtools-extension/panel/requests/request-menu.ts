import { sentBody } from '../../adapter/connect-get.ts';
import { addressOf } from '../../text/address.ts';
import { curlOf } from '../copy/copy-curl.ts';
import type { MenuItem } from '../shared/menu.ts';
import type { Panel } from '../panel.ts';
import type { Row } from './row.ts';

/** Context menu of a request. */
export function requestMenu(panel: Panel, row: Row): MenuItem[] {
  const { selection, requests } = panel;
  const { exchange } = row;
  const copyCurl = async (): Promise<void> => {
    const sent = await sentBody(exchange);
    await panel.copy(curlOf(exchange, sent && 'bytes' in sent ? sent.bytes : undefined), 'Command');
  };
  const headers = (): string => exchange.responseHeaders.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return [
    { label: 'Copy URL', run: () => void panel.copy(exchange.url, 'URL') },
    { label: 'Copy as cURL', run: () => void copyCurl() },
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
