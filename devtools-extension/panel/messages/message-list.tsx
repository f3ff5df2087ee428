import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageLabel } from './message-label.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { visible } from '../../text/visible-text.ts';
import { Note } from '../shared/note.tsx';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const HEADER = 25;
const PREVIEW = 60;

/** Messages of a WebSocket or EventSource. */
export function MessageList({ panel }: { panel: Panel }) {
  const index = useSignal(-1);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isDisposed = false;
    const refresh = async (): Promise<void> => {
      const start = performance.now();
      await panel.selection.refreshMessages();
      // A long log takes long to read, so it is read less often.
      if (!isDisposed) timer = setTimeout(() => void refresh(), Math.max(1_000, (performance.now() - start) * 10));
    };
    timer = setTimeout(() => void refresh(), 1_000);
    return () => {
      isDisposed = true;
      clearTimeout(timer);
    };
  }, [panel]);
  const messages = panel.selection.messages.value;
  if (messages.length === 0) return <Note title="No messages yet">Messages appear here while DevTools is open.</Note>;
  const open = (at: number): void => {
    index.value = at;
    void panel.selection.openMessage(messages[at]!);
  };
  return (
    <VirtualList
      class="messages"
      role="grid"
      label="Messages"
      count={messages.length}
      columnCount={4}
      rowHeight={24}
      headerHeight={HEADER}
      show={index.value}
      activeId={index.value >= 0 ? `message-${index.value}` : undefined}
      header={
        <div class="message-row request-header" role="row" aria-rowindex={1}>
          <span role="columnheader">Direction</span>
          <span role="columnheader">Time</span>
          <span role="columnheader">Size</span>
          <span role="columnheader">Content</span>
        </div>
      }
      row={(at) => {
        const { direction, time, bytes, isText, name } = messages[at]!;
        const head = bytes.subarray(0, PREVIEW);
        const label = messageLabel(messages[at]!, panel.selection.row.value?.exchange.url ?? '');
        return (
          <div
            key={at}
            id={`message-${at}`}
            role="row"
            aria-rowindex={at + 2}
            aria-selected={at === index.value}
            class={`message-row${at === index.value ? ' is-selected' : ''}`}
            onClick={() => open(at)}
          >
            <span role="gridcell">{direction === 'sent' ? '↑ sent' : '↓ received'}</span>
            <span role="gridcell" class="number">
              {new Date(time).toISOString().slice(11, 23)}
            </span>
            <span role="gridcell" class="number">
              {formatBytes(bytes.length)}
            </span>
            <span role="gridcell" class="code">
              {label && <span class="event-name">{visible(label)}</span>}
              {name && name !== 'message' && <span class="event-name">{visible(name)}</span>}
              {isText
                ? visible(new TextDecoder().decode(head))
                : Array.from(head.subarray(0, 20), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}
            </span>
          </div>
        );
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && index.value >= 0) open(index.value);
        const next = movedRow(event.key, index.value, messages.length);
        if (next === undefined) return;
        event.preventDefault();
        open(next);
      }}
    />
  );
}
