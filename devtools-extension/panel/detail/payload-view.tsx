import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Exchange } from '../../adapter/adapter.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { formFieldsOf, queryOf } from './payload.ts';
import { Facts, FactSection } from '../shared/facts.tsx';

/** Payload tab: query parameters, form fields, and a link to the request body. */
export function PayloadView({ panel, exchange }: { panel: Panel; exchange: Exchange }) {
  const sent = useSignal<{ bytes: Uint8Array } | { missing: string } | undefined>(undefined);
  useEffect(() => {
    let isDisposed = false;
    sent.value = undefined;
    void exchange.requestBody?.().then((body) => {
      if (!isDisposed) sent.value = body;
    });
    return () => {
      isDisposed = true;
    };
  }, [exchange]);
  const body = sent.value;
  const fields = body && 'bytes' in body ? formFieldsOf(exchange, body.bytes) : undefined;
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Payload">
      <Facts title="Query String Parameters" facts={queryOf(exchange.url)} empty="None" />
      {fields && <Facts title="Form Data" facts={fields} />}
      <FactSection title="Request Payload">
        {!exchange.requestBody ? (
          <p class="muted">The request has no body.</p>
        ) : !body ? (
          <p class="muted">Reading…</p>
        ) : 'missing' in body ? (
          <p class="muted">{body.missing}</p>
        ) : (
          <p>
            {formatBytes(body.bytes.length)}{' '}
            <button
              class="button button-small"
              onClick={() => {
                panel.selection.tab.value = 'tree';
                void panel.selection.select(exchange.id, 'request');
              }}
            >
              Open as a tree
            </button>
          </p>
        )}
      </FactSection>
    </div>
  );
}
