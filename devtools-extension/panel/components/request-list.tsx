import { formatBytes, formatMilliseconds } from '../models/numbers.ts';
import { nameOf } from '../models/address.ts';
import { type Panel } from '../models/panel.ts';
import type { Row } from '../models/row.ts';
import { visible } from '../models/visible-text.ts';
import { movedRow, VirtualList } from './virtual-list.tsx';

const COLUMNS = ['Name', 'Status', 'Format', 'Size', 'Sent', 'Decode'] as const;
const HEADER = 25;

export function RequestList({ panel }: { panel: Panel }) {
  const rows = panel.requests.visible.value;
  const selected = panel.selection.id.value;
  const index = rows.findIndex(({ exchange }) => exchange.id === selected);
  if (rows.length === 0) return <Empty panel={panel} />;
  return (
    <VirtualList
      class="requests"
      role="grid"
      label="Requests"
      count={rows.length}
      columnCount={COLUMNS.length}
      rowHeight={24}
      headerHeight={HEADER}
      show={index}
      activeId={index >= 0 ? `request-${selected}` : undefined}
      header={
        <div class="request-row request-header" role="row" aria-rowindex={1}>
          {COLUMNS.map((name) => (
            <span role="columnheader" key={name}>
              {name}
            </span>
          ))}
        </div>
      }
      row={(at) => <RequestRow key={rows[at]!.exchange.id} row={rows[at]!} index={at} isSelected={at === index} onSelect={() => void panel.selection.select(rows[at]!.exchange.id)} />}
      onKeyDown={(event) => {
        const next = movedRow(event.key, index, rows.length);
        if (next === undefined) return;
        event.preventDefault();
        void panel.selection.select(rows[next]!.exchange.id);
      }}
    />
  );
}

function RequestRow({ row, index, isSelected, onSelect }: { row: Row; index: number; isSelected: boolean; onSelect: () => void }) {
  const { exchange, detection } = row;
  const isFailed = exchange.status === 0 && exchange.method !== 'FILE' && exchange.initiator !== 'websocket';
  const isBad = exchange.status >= 400 || isFailed || (detection?.rpc?.code ?? 0) > 0;
  return (
    <div
      id={`request-${exchange.id}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      class={`request-row${isSelected ? ' is-selected' : ''}${isBad ? ' is-bad' : ''}`}
      title={visible(`${exchange.method} ${exchange.url}`)}
      onClick={onSelect}
    >
      <span role="gridcell" class="request-name">
        {exchange.method !== 'GET' && <span class="method">{exchange.method}</span>}
        {nameOf(exchange.url)}
      </span>
      <span role="gridcell" title={statusTitle(row)}>
        {statusText(row)}
      </span>
      <span role="gridcell">{exchange.messages ? <span class="chip">{exchange.initiator}</span> : <FormatChip row={row} />}</span>
      <span role="gridcell" class="number">
        {formatBytes(row.size)}
      </span>
      <span role="gridcell" class="number">
        {exchange.transferred >= 0 ? formatBytes(exchange.transferred) : '–'}
      </span>
      <span role="gridcell" class="number">
        {row.decodeMs === undefined || !detection?.format ? '' : formatMilliseconds(row.decodeMs)}
      </span>
    </div>
  );
}

/** The HTTP status, or how a call of gRPC failed. */
function statusText({ exchange, detection }: Row): string {
  const { rpc } = detection ?? {};
  if (rpc && rpc.code > 0) return `${rpc.code} ${rpc.name}`;
  if (exchange.status === 0) return exchange.method === 'FILE' ? '' : '–';
  return String(exchange.status);
}

function statusTitle({ exchange, detection }: Row): string {
  const { rpc } = detection ?? {};
  const http = `${exchange.status} ${exchange.statusText}`.trim();
  return rpc ? `HTTP ${http}, ${rpc.protocol} ${rpc.code} ${rpc.name}${rpc.message ? `: ${rpc.message}` : ''}` : http;
}

function FormatChip({ row: { detection } }: { row: Row }) {
  if (!detection?.format) return <span class="muted">{detection ? '–' : ''}</span>;
  const { confidence, format, reasons } = detection;
  const sure = confidence >= 0.9 ? 'sure' : confidence >= 0.6 ? 'likely' : 'unsure';
  return (
    <span class={`chip chip-${sure}`} title={`${Math.round(confidence * 100)} %: ${reasons.join('; ')}`}>
      {format}
      {sure !== 'sure' && <span aria-label={sure}>{sure === 'likely' ? ' ?' : ' ??'}</span>}
    </span>
  );
}

function Empty({ panel }: { panel: Panel }) {
  const hasHidden = panel.requests.rows.value.length > 0;
  return (
    <div class="empty">
      {hasHidden ? (
        <>
          <h2>No request fits the filter</h2>
          <p>{panel.requests.rows.value.length} requests are hidden.</p>
          <button
            class="button"
            onClick={() => panel.requests.showAll()}
          >
            Show all
          </button>
        </>
      ) : (
        <>
          <h2>No requests yet</h2>
          <p>Reload the page, or use it: what it fetches while DevTools is open appears here.</p>
          <p>Or drop a file here: a payload, or a schema (.proto, .avsc, .bop, .bfbs).</p>
        </>
      )}
    </div>
  );
}
