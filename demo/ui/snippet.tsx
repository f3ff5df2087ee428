import { useSignal } from '@preact/signals';
import { Action } from './action.tsx';

/** Text to copy. */
export function Snippet({ text, label }: { text: string; label: string }) {
  const notice = useSignal('');
  return (
    <div class="copyable">
      <pre class="snippet" tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <div class="copyable-bar">
        <Action
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => (notice.value = 'Copied.'),
              () => (notice.value = 'The browser did not allow it: select the text instead.'),
            )
          }
        >
          Copy
        </Action>
        <span class="small muted" role="status">
          {notice.value}
        </span>
      </div>
    </div>
  );
}
