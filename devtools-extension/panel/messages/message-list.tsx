import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Message } from '../../adapter/adapter.ts';
import { hexOf } from '../../adapter/bytes.ts';
import { differsFrom } from './differs-from.ts';
import { filterMessages, type MessageFilter } from './message-glances.ts';
import { messageLabel } from './message-label.ts';
import { counted, formatBytes, formatCount } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { visible } from '../../text/visible-text.ts';
import { Note } from '../shared/note.tsx';
import { useNewMessages } from './use-new-messages.ts';
import { choicesOf, Select } from '../shared/select.tsx';
import { ToggleButton } from '../shared/toggle-button.tsx';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const HEADER = 25;
/** Characters of a row, and bytes of text read for it. */
const PREVIEW = 400;

/** Messages of a WebSocket or EventSource. */
export function MessageList({ panel }: { panel: Panel }) {
  /** The open message: indices change when the oldest ones go. */
  const opened = useSignal<Message | undefined>(undefined);
  const direction = useSignal<MessageFilter['direction']>('all');
  const text = useSignal('');
  const isFollowing = useSignal(false);
  useNewMessages(panel);
  const { row, messages: all } = panel.selection;
  const messages = all.value;
  const shown = useMemo(() => filterMessages(messages, { direction: direction.value, text: text.value }), [messages, direction.value, text.value]);
  const tail = shown.at(-1) ?? -1;
  if (messages.length === 0) return <Note title="No messages yet">Messages appear here while DevTools is open.</Note>;
  const open = (at: number): void => {
    opened.value = messages[shown[at]!];
    isFollowing.value = false;
    void panel.selection.openMessage(messages[shown[at]!]!);
  };
  const number = opened.value ? messages.indexOf(opened.value) : -1;
  const at = isFollowing.value ? shown.length - 1 : shown.indexOf(number);
  const { exchange } = row.value!;
  return (
    <div class="message-view">
      <MessageBar
        messages={messages}
        count={shown.length}
        dropped={exchange.droppedMessages?.() ?? 0}
        direction={direction}
        text={text}
        isFollowing={isFollowing}
      />
      <VirtualList
        class="messages"
        role="grid"
        label="Messages"
        count={shown.length}
        columnCount={5}
        rowHeight={24}
        headerHeight={HEADER}
        show={at}
        showKey={isFollowing.value ? tail : number}
        activeId={number >= 0 ? `message-${number}` : undefined}
        header={
          <div class="message-row request-header" role="row" aria-rowindex={1}>
            <span role="columnheader">Direction</span>
            <span role="columnheader">Time</span>
            <span role="columnheader">Size</span>
            <span role="columnheader">Format</span>
            <span role="columnheader">Content</span>
          </div>
        }
        row={(place) => {
          const index = shown[place]!;
          return (
            <MessageRow
              key={index}
              panel={panel}
              message={messages[index]!}
              neighbours={[shown[place - 1], shown[place + 1]].flatMap((other) => (other === undefined ? [] : [messages[other]!]))}
              number={index}
              place={place}
              isSelected={index === number}
              onOpen={() => open(place)}
            />
          );
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && at >= 0) open(at);
          const next = movedRow(event.key, at, shown.length);
          if (next === undefined) return;
          event.preventDefault();
          open(next);
        }}
      />
    </div>
  );
}

interface MessageBarProps {
  messages: readonly Message[];
  /** Number of messages that the filter keeps. */
  count: number;
  dropped: number;
  direction: Signal<MessageFilter['direction']>;
  text: Signal<string>;
  isFollowing: Signal<boolean>;
}

/** Filters and totals of the messages. */
function MessageBar({ messages, count, dropped, direction, text, isFollowing }: MessageBarProps) {
  const size = messages.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return (
    <div class="view-bar">
      <Select
        label="Direction"
        class="field-small"
        choices={[{ value: 'all', label: 'both directions' }, ...choicesOf(['sent', 'received'] as const)]}
        value={direction.value}
        onChoose={(value) => (direction.value = value)}
      />
      <input
        class="field"
        type="search"
        placeholder="Filter messages"
        aria-label="Filter messages"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <ToggleButton
        label="Follow"
        title="Keep the latest message in view"
        class="button-small"
        isOn={isFollowing.value}
        onToggle={(isOn) => (isFollowing.value = isOn)}
      />
      <span class="muted" role="status">
        {count < messages.length && `${formatCount(count)} of `}
        {counted(messages.length, 'message')}, {formatBytes(size)}
        {dropped > 0 && `; the oldest ${formatCount(dropped)} were dropped`}
      </span>
    </div>
  );
}

interface MessageRowProps {
  panel: Panel;
  message: Message;
  /** Messages in the rows before and after it. */
  neighbours: readonly Message[];
  /** Index among all messages, and in the list. */
  number: number;
  place: number;
  isSelected: boolean;
  onOpen: () => void;
}

function MessageRow({ panel, message, neighbours, number, place, isSelected, onOpen }: MessageRowProps) {
  const { direction, time, bytes, isText, name } = message;
  const { exchange } = panel.selection.row.value!;
  const label = messageLabel(message, exchange.url);
  const glanceOf = (one: Message) => panel.glances.of(one, panel.selection.messages.value, exchange).value;
  const glance = glanceOf(message);
  const textOf = (one: Message): string => (one.isText ? new TextDecoder().decode(one.bytes.subarray(0, PREVIEW)) : (glanceOf(one)?.text ?? ''));
  const alike = neighbours.filter((one) => one.direction === direction && one.isText === isText && one.name === name);
  const text = textOf(message);
  const from = differsFrom(text, alike.map(textOf));
  return (
    <div
      id={`message-${number}`}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      class={`message-row${isSelected ? ' is-selected' : ''}`}
      onClick={onOpen}
    >
      <span role="gridcell">{direction === 'sent' ? '↑ sent' : '↓ received'}</span>
      <span role="gridcell" class="number">
        {new Date(time).toISOString().slice(11, 23)}
      </span>
      <span role="gridcell" class="number">
        {formatBytes(bytes.length)}
      </span>
      <span role="gridcell">{glance?.format ?? (isText ? 'text' : '–')}</span>
      <span role="gridcell" class="code">
        {label && <span class="event-name">{visible(label)}</span>}
        {name && name !== 'message' && <span class="event-name">{visible(name)}</span>}
        {from > 0 && (
          <span class="muted" title={visible(text.slice(0, from))}>
            …
          </span>
        )}
        {isText ? visible(text.slice(from)) : text.slice(from) || hexOf(bytes.subarray(0, 20))}
      </span>
    </div>
  );
}
