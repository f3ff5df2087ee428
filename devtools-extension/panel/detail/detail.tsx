import { useMemo, useRef } from 'preact/hooks';
import type { Overflow, RpcStatus } from '../../reading/protocol.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { nameOf } from '../../text/address.ts';
import type { Panel } from '../panel.ts';
import { storedSignal } from '../shared/settings.ts';
import type { Side } from '../selection/selection.ts';
import type { TabName } from '../selection/tab.ts';
import { type Choice, Segments } from '../shared/segments.tsx';
import { visible } from '../../text/visible-text.ts';
import { DiffView } from '../compare/diff-view.tsx';
import { FormatSelect } from './format-select.tsx';
import { HeadersView } from './headers-view.tsx';
import { mergeKindIn, MergedView } from '../messages/merged-view.tsx';
import { MessageList } from '../messages/message-list.tsx';
import { Note } from '../shared/note.tsx';
import { PayloadView } from './payload-view.tsx';
import { ResendView } from '../send-again/resend-view.tsx';
import { RpcView } from './rpc-view.tsx';
import { SizeView } from '../size/size-view.tsx';
import { Split } from '../shared/split.tsx';
import { Tabs } from './tabs.tsx';
import { listsOfRecords } from '../../../core/sinks/spans/records.ts';
import { TableView } from '../table/table-view.tsx';
import { TextView } from '../text/text-view.tsx';
import { TimingView } from './timing-view.tsx';
import { TreeHex } from '../tree/tree-hex.tsx';
import { WhatIfView } from '../what-if/what-if-view.tsx';

const TABS: readonly { id: TabName; label: string }[] = [
  { id: 'messages', label: 'Messages' },
  { id: 'merged', label: 'Merged' },
  { id: 'tree', label: 'Tree and bytes' },
  { id: 'text', label: 'Text' },
  { id: 'table', label: 'Table' },
  { id: 'size', label: 'Size' },
  { id: 'whatif', label: 'What if' },
  { id: 'diff', label: 'Compare' },
  { id: 'headers', label: 'Headers' },
  { id: 'payload', label: 'Payload' },
  { id: 'timing', label: 'Timing' },
  { id: 'rpc', label: 'Trailers' },
  { id: 'resend', label: 'Send again' },
];

/** Confidence from which the format needs no explanation. */
const SURE = 0.9;

const messagesShare = storedSignal('messages-share', 0.4);

/** Closes the details, and moves the focus back to the list. */
export function closeDetail(panel: Panel, app: Element): void {
  app.querySelector<HTMLElement>('.requests')?.focus();
  panel.selection.clear();
}

/** Detail pane of the selected request. With `tabs`, it has only these, and cannot be closed. */
export function Detail({ panel, tabs: offered }: { panel: Panel; tabs?: readonly TabName[] }) {
  const row = panel.selection.row.value;
  const state = panel.selection.state.value;
  const body = state.status === 'ready' ? state.body : undefined;
  const hasRecords = useMemo(() => body?.tree !== undefined && listsOfRecords(body.tree, 1).length > 0, [body]);
  const firstMessage = panel.selection.messages.value[0];
  const mergeKind = useMemo(() => mergeKindIn(panel, body), [row, body, firstMessage]);
  if (!row) {
    return (
      <Note title="Select a request">
        <p>Select a value to highlight its bytes, or a byte to find its value.</p>
        <p>
          <kbd>↑</kbd> <kbd>↓</kbd> move in any list, <kbd>Tab</kbd> moves between the parts.
        </p>
        <p>
          <strong>Table</strong> lists the records of a response, <strong>Size</strong> shows where its bytes go, and <strong>Compare</strong> shows
          the differences from another.
        </p>
      </Note>
    );
  }
  const rpc = row.detection?.rpc ?? row.found?.rpc;
  const isThere: Partial<Record<TabName, boolean>> = {
    messages: row.exchange.messages !== undefined,
    merged: mergeKind !== undefined,
    rpc: rpc !== undefined,
    payload: row.exchange.requestBody !== undefined || row.exchange.url.includes('?'),
    headers: row.exchange.method !== 'FILE',
    resend: panel.resend.canSend(row.exchange),
  };
  const tabs = TABS.filter(({ id }) => isThere[id] !== false && offered?.includes(id) !== false).map(({ id, label }) => ({
    id,
    label: id === 'tree' && body && !body.tree ? 'Bytes' : label,
    isDisabled: body
      ? (id === 'table' && !hasRecords) || (!body.tree && NEED_VALUE.includes(id))
      : state.status === 'missing' && (id === 'text' || NEED_VALUE.includes(id)),
  }));
  const tab = tabs.some(({ id }) => id === panel.selection.tab.value) ? panel.selection.tab.value : 'tree';
  const choose = (id: TabName): void => {
    panel.selection.tab.value = id;
  };
  return (
    <section class="detail" aria-label={nameOf(row.exchange.url)}>
      <DetailHeader panel={panel} body={body} canClose={!offered} />
      {rpc && rpc.code > 0 && (
        <p class="error-line" role="alert">
          <strong>
            {rpc.protocol} {rpc.code} {rpc.name}
          </strong>
          <span>{visible(rpc.message)}</span>
          <button class="button button-small" onClick={() => choose('rpc')}>
            Details
          </button>
        </p>
      )}
      <Tabs panel={panel} tabs={tabs} selected={tab} onChoose={choose} />
      <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'merged' ? <MergedView panel={panel} body={body} kind={mergeKind!} /> : <View panel={panel} tab={tab} rpc={rpc} />}
      </div>
    </section>
  );
}

function View({ panel, tab, rpc }: { panel: Panel; tab: TabName; rpc: RpcStatus | undefined }) {
  if (tab === 'messages') return <MessagesView panel={panel} />;
  if (tab === 'timing') return <TimingView panel={panel} />;
  const { exchange } = panel.selection.row.value!;
  if (tab === 'headers') return <HeadersView exchange={exchange} />;
  if (tab === 'payload') return <PayloadView panel={panel} exchange={exchange} />;
  if (tab === 'resend') return <ResendView key={exchange.id} panel={panel} exchange={exchange} />;
  if (tab === 'rpc' && rpc) return <RpcView panel={panel} rpc={rpc} />;
  return <BodyView panel={panel} tab={tab} />;
}

/** Message list, with the open message below it. */
function MessagesView({ panel }: { panel: Panel }) {
  if (panel.selection.side.value !== 'message' || panel.selection.state.value.status === 'none') return <MessageList panel={panel} />;
  return (
    <Split
      class="messages-split"
      share={messagesShare}
      isStacked
      label="Height of the messages"
      first={<MessageList panel={panel} />}
      second={<BodyView panel={panel} tab="tree" />}
    />
  );
}

function BodyView({ panel, tab }: { panel: Panel; tab: TabName }) {
  const state = panel.selection.state.value;
  const answered = panel.requests.byServiceWorker.value.get(panel.selection.id.value ?? -1);
  const isEmpty = state.status === 'missing' || (state.status === 'ready' && state.body.bytes.length === 0);
  if (answered !== undefined && isEmpty && panel.selection.side.value === 'response') return <WorkerBody panel={panel} answered={answered} />;
  switch (state.status) {
    case 'none':
      return <Note title="No body">Select a message to inspect it.</Note>;
    case 'loading':
      return <Note title="Reading…">Waiting for the browser to deliver the body.</Note>;
    case 'failed':
      return <Note title="The body could not be read">{state.reason}</Note>;
    case 'tooLarge':
      return <LargeBody panel={panel} overflow={state.overflow} received={state.received} />;
    case 'missing':
      return <MissingBody panel={panel} reason={state.reason} mayBeElsewhere={state.mayBeElsewhere} libraryId={state.libraryId} />;
    default:
      return <ReadyView panel={panel} tab={tab} body={state.body} />;
  }
}

/** Shown for a request of a service worker, whose body is that of the page's request. */
function WorkerBody({ panel, answered }: { panel: Panel; answered: number }) {
  return (
    <Note title="The service worker made this request">
      <p>It answers a request of the page with the same URL, and the browser delivers the body with that request.</p>
      <button class="button button-main" onClick={() => void panel.selection.select(answered)}>
        Open the page's request
      </button>
    </Note>
  );
}

/** Sizes that can be opened of a body that is too large. */
const PARTS = [1_000_000, 16_000_000];

/** Shown for a body that decompresses to more than the panel opens. */
function LargeBody({ panel, overflow, received }: { panel: Panel; overflow: Overflow; received: number }) {
  return (
    <Note title="The body is too large to open">
      <p>
        Its {formatBytes(received)} of {overflow.wrapping} decompress to more than {formatBytes(overflow.limit)}. You can open the beginning.
      </p>
      <div class="choices">
        {PARTS.map((bytes) => (
          <button class="button" key={bytes} onClick={() => void panel.selection.openPart(bytes)}>
            Open the first {formatBytes(bytes)}
          </button>
        ))}
      </div>
    </Note>
  );
}

/** Reason for a missing body, and ways to supply it. */
function MissingBody({
  panel,
  reason,
  mayBeElsewhere,
  libraryId,
}: {
  panel: Panel;
  reason: string;
  mayBeElsewhere: boolean;
  libraryId: number | undefined;
}) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <Note title="No body to show">
      <p>{reason}</p>
      <div class="choices">
        {libraryId !== undefined && (
          <button class="button button-main" onClick={() => void panel.selection.takeOver(libraryId)}>
            Take it from the page
          </button>
        )}
        {panel.selection.canFetchAgain && <FetchAgain panel={panel} />}
        <button class="button" onClick={() => files.current!.click()}>
          Open it from a file…
        </button>
      </div>
      {mayBeElsewhere && libraryId === undefined && (
        <p>
          Pages that decode with Unspool can keep large bodies for this panel: set <code>{'createDecoder({ keepBodies: true })'}</code> and reload it.
        </p>
      )}
      <input
        ref={files}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) void panel.selection.openFor(file);
        }}
      />
    </Note>
  );
}

/** Button that has the page request the body once more. */
function FetchAgain({ panel }: { panel: Panel }) {
  return (
    <button
      class="button button-small"
      title="The page makes the same GET request once more, with its cookies"
      onClick={() => void panel.selection.fetchAgain()}
    >
      Fetch it again as bytes
    </button>
  );
}

/** Tabs without meaning for a body without a decoded value. */
const NEED_VALUE: readonly TabName[] = ['table', 'size', 'whatif', 'diff'];

/** Tabs available for a body without a decoded value. */
const WITHOUT_VALUE: readonly TabName[] = ['tree', 'text'];

function ReadyView({ panel, tab, body }: { panel: Panel; tab: TabName; body: OpenBody }) {
  if (body.bytes.length === 0 && !body.tree?.isContainer(body.tree.root)) return <Note title="The body is empty">No bytes were sent.</Note>;
  if (!body.tree && !WITHOUT_VALUE.includes(tab)) return <Note title="Not decoded">{body.error?.reason ?? body.detection.reasons.join('; ')}</Note>;
  switch (tab) {
    case 'text':
      return <TextView key={body} body={body} />;
    case 'table':
      return <TableView body={body} onShow={() => (panel.selection.tab.value = 'tree')} />;
    case 'size':
      return <SizeView body={body} />;
    case 'whatif':
      return <WhatIfView panel={panel} body={body} />;
    case 'diff':
      return <DiffView panel={panel} body={body} />;
    default:
      return <TreeHex panel={panel} body={body} />;
  }
}

const SIDES: readonly Choice<Side>[] = [
  { value: 'response', label: 'Response' },
  { value: 'request', label: 'Request' },
];

function DetailHeader({ panel, body, canClose }: { panel: Panel; body: OpenBody | undefined; canClose: boolean }) {
  const { exchange } = panel.selection.row.value!;
  const detection = body?.detection;
  return (
    <header class="detail-header">
      <div class="detail-title">
        <h2 title={visible(exchange.url)}>{nameOf(exchange.url)}</h2>
        {canClose && (
          <button
            class="button button-small detail-close"
            title="Close (Escape)"
            onClick={(event) => closeDetail(panel, event.currentTarget.closest('.app')!)}
          >
            Close
          </button>
        )}
        {exchange.requestBody && (
          <Segments
            label="Body to show"
            choices={SIDES}
            value={panel.selection.side.value}
            onChoose={(side) => void panel.selection.select(exchange.id, side)}
          />
        )}
      </div>
      {body && (
        <p class="detail-facts">
          <FormatSelect key={exchange.id} panel={panel} body={body} />
          {detection?.format && detection.confidence < SURE && (
            <span class="fact fact-reason" title={detection.reasons.join('; ')}>
              {Math.round(detection.confidence * 100)} % certain: {detection.reasons[0]}
            </span>
          )}
          {detection && detection.wrappings.length > 0 && (
            <span class="fact">
              {detection.wrappings.join(', ')}, {formatBytes(body.received)} received
            </span>
          )}
          {detection?.sequence && <span class="fact">sequence of values</span>}
          <span class={`fact${body.isPart ? ' fact-warn' : ''}`}>
            {body.isPart && 'only the first '}
            {formatBytes(body.bytes.length)}
          </span>
          {body.schema && <span class="fact">schema {visible(body.schema.name)}</span>}
          {body.lossy ? (
            <span class="fact fact-warn">
              The browser delivered this body as text, so some bytes may be lost. {panel.selection.canFetchAgain && <FetchAgain panel={panel} />}
            </span>
          ) : (
            panel.selection.side.value === 'request' && <span class="fact">exact bytes</span>
          )}
        </p>
      )}
    </header>
  );
}
