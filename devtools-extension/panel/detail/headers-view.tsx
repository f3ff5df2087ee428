import type { Exchange, Header } from '../../adapter/adapter.ts';
import { Facts } from '../shared/facts.tsx';

/** Headers tab, with the labels of Chrome's Network panel. */
export function HeadersView({ exchange }: { exchange: Exchange }) {
  const { url, method, status, statusText, network, requestHeaders, responseHeaders, fromServiceWorker } = exchange;
  const policy = responseHeaders.find(({ name }) => name.toLowerCase() === 'referrer-policy')?.value;
  const general: (readonly [string, string, boolean?])[] = [
    ['Request URL', url],
    ['Request Method', method],
    [
      'Status Code',
      status === 0 ? statusText || 'none' : `${status} ${statusText}${fromServiceWorker ? ' (from service worker)' : ''}`,
      status === 0 || status >= 400,
    ],
    ...optional('Protocol', network?.httpVersion),
    ...optional('Remote Address', network?.remoteAddress),
    ...optional('Referrer Policy', policy),
    ...optional('Priority', network?.priority),
    ...optional('Initiator', network?.initiator),
  ];
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Headers">
      <Facts title="General" facts={general} />
      <Facts title="Response Headers" facts={listed(responseHeaders)} empty="None" />
      <Facts title="Request Headers" facts={listed(requestHeaders)} empty="None" />
    </div>
  );
}

function optional(name: string, value: string | undefined): (readonly [string, string])[] {
  return value ? [[name, value]] : [];
}

function listed(headers: readonly Header[]): (readonly [string, string])[] {
  return headers.map(({ name, value }) => [name, value] as const).toSorted(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}
