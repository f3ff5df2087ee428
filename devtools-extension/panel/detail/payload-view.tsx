import type { Exchange } from '../../adapter/adapter.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { formFieldsOf, queryOf } from './payload.ts';
import { Facts, FactSection } from '../shared/facts.tsx';
import { useAnswer } from '../shared/use-answer.ts';

/** Payload tab: query parameters, form fields, and a link to the request body. */
export function PayloadView({ panel, exchange }: { panel: Panel; exchange: Exchange }) {
  const body = useAnswer(() => exchange.requestBody?.(), [exchange]);
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
