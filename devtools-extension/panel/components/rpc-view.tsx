import type { RpcStatus } from '../../reading/protocol.ts';
import { hexOf } from '../models/copy.ts';
import { toPlainJson } from '../models/plain-json.ts';
import { visible, visibleLines } from '../models/visible-text.ts';

/** How a call of gRPC, gRPC-web or Connect ended. */
export function RpcView({ rpc }: { rpc: RpcStatus }) {
  const { protocol, code, name, message, details, trailers } = rpc;
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Status and trailers of the call">
      <section>
        <h3>Status</h3>
        <dl class="facts">
          <dt>{protocol} status</dt>
          <dd class={code === 0 ? '' : 'is-bad'}>
            {code} {name}
          </dd>
          {message && (
            <>
              <dt>Message</dt>
              <dd>{visible(message)}</dd>
            </>
          )}
        </dl>
      </section>
      {details.length > 0 && (
        <section>
          <h3>Details</h3>
          {details.map(({ type, value, bytes }, index) => (
            <figure class="rpc-detail" key={index}>
              <figcaption>{visible(type)}</figcaption>
              <pre class="code">{value === undefined ? hexOf(bytes, ' ') : visibleLines(toPlainJson(value))}</pre>
            </figure>
          ))}
        </section>
      )}
      <section>
        <h3>Trailers</h3>
        {trailers.length === 0 ? (
          <p class="muted">There are none.</p>
        ) : (
          <dl class="facts">
            {trailers.map((trailer, index) => (
              <>
                <dt key={`name ${index}`}>{visible(trailer.name)}</dt>
                <dd key={`value ${index}`}>{visible(trailer.value)}</dd>
              </>
            ))}
          </dl>
        )}
      </section>
    </div>
  );
}
