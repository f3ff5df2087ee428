import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Draft, DraftState } from './draft.ts';
import { formatCount } from '../../text/numbers.ts';
import { visible, visibleLines } from '../../text/visible-text.ts';
import { hexOf } from '../../adapter/bytes.ts';
import { maskedHeader, maskedUrl } from './secrets.ts';

type Confirming = Extract<DraftState, { step: 'confirming' }>;

/** Limits of the body shown in the dialog. */
const SHOWN_TEXT = 2_000;
const SHOWN_BYTES = 256;

/** Dialog that shows what is sent, and where, and asks for confirmation. */
export function ConfirmSend({
  draft,
  confirming,
  onSend,
  onCancel,
}: {
  draft: Draft;
  confirming: Confirming;
  onSend: () => void;
  onCancel: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    cancel.current!.focus();
    // Restores the focus.
    return () => element.close();
  }, []);
  const { request, lost } = confirming;
  const isElsewhere = new URL(request.url).origin !== request.origin;
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="confirm-title"
      onCancel={onCancel}
      onKeyDown={(event) => {
        // DevTools would open its drawer on Escape.
        event.stopPropagation();
      }}
    >
      <h2 id="confirm-title">Send this request?</h2>
      <dl class="facts">
        <dt>Method</dt>
        <dd>{request.method}</dd>
        <dt>Address</dt>
        <dd>{visible(maskedUrl(request.url))}</dd>
        <dt>From</dt>
        <dd>
          the page of {visible(request.origin)}
          {request.credentials === 'include' || !isElsewhere ? ', with its cookies' : ', without cookies'}
          {isElsewhere && ' (to another origin, which must allow it)'}
        </dd>
        <dt>Headers</dt>
        <dd>
          {request.headers.length === 0 ? (
            'only those set by the browser'
          ) : (
            <ul aria-label="Headers to be sent, with secrets masked">
              {request.headers.map((header, index) => (
                <li key={index}>{visible(maskedHeader(header))}</li>
              ))}
            </ul>
          )}
        </dd>
        <dt>Body</dt>
        <dd>{request.body ? `${formatCount(request.body.length)} bytes` : 'none'}</dd>
      </dl>
      {lost.length > 0 && (
        <ul class="dialog-warning" aria-label="Values changed by encoding">
          {lost.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      )}
      {request.body && request.body.length > 0 && (
        <pre class="dialog-body" tabIndex={0} aria-label="Body to be sent">
          {bodyText(draft, request.body)}
        </pre>
      )}
      <div class="dialog-actions">
        <button class="button" type="button" ref={cancel} onClick={onCancel}>
          Cancel
        </button>
        <button class="button button-main" type="button" onClick={onSend}>
          Send {request.method}
        </button>
      </div>
    </dialog>
  );
}

function bodyText(draft: Draft, body: Uint8Array): string {
  const text = draft.textOf(draft.sentForm)?.peek();
  if (text !== undefined) return text.length > SHOWN_TEXT ? `${visibleLines(text.slice(0, SHOWN_TEXT))}…` : visibleLines(text);
  return `${hexOf(body.subarray(0, SHOWN_BYTES))}${body.length > SHOWN_BYTES ? ' …' : ''}`;
}
