import { useRef } from 'preact/hooks';
import { nameOf } from '../../text/address.ts';
import {
  chosenColumns,
  type Column,
  type ColumnId,
  COLUMNS,
  columnsIn,
  nextSorting,
  setColumnWidth,
  templateOf,
  toggleColumn,
  widthOf,
} from './columns.ts';
import { formatBytes, formatMilliseconds, formatTime } from '../../text/numbers.ts';
import { type Panel } from '../panel.ts';
import { requestMenu } from './request-menu.ts';
import { PROPERTY_NAMES, unknownProperties } from './filter.ts';
import { differsFrom } from '../messages/differs-from.ts';
import { formatLabel, isFailed, type Row } from './row.ts';
import { visible } from '../../text/visible-text.ts';
import { useSize } from '../shared/use-size.ts';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const HEADER = 25;
const STEP = 8;

export function RequestList({ panel }: { panel: Panel }) {
  const element = useRef<HTMLDivElement>(null);
  const { width } = useSize(element, { width: 400, height: 0 }).value;
  return (
    <div class="request-list" ref={element}>
      {panel.requests.visible.value.length === 0 ? (
        <Empty panel={panel} />
      ) : (
        <List panel={panel} columns={columnsIn(width, panel.selection.id.value !== undefined)} />
      )}
    </div>
  );
}

function List({ panel, columns }: { panel: Panel; columns: readonly Column[] }) {
  const rows = panel.requests.visible.value;
  const lines = panel.requests.lines.value;
  const selected = panel.selection.id.value;
  const index = rows.findIndex(({ exchange }) => exchange.id === selected);
  const template = templateOf(columns);
  const openColumnMenu = (event: MouseEvent | KeyboardEvent): void =>
    panel.menu.show(
      event,
      'Columns',
      COLUMNS.filter(({ id }) => id !== 'name').map(({ id, label }) => ({
        label,
        isChecked: chosenColumns.value.includes(id),
        run: () => toggleColumn(id),
      })),
    );
  const openMenu = (event: MouseEvent | KeyboardEvent, row: Row): void => panel.menu.show(event, 'Request', requestMenu(panel, row));
  const select = (row: Row): void => void panel.selection.select(row.exchange.id);
  return (
    <VirtualList
      class="requests"
      role="grid"
      label="Requests"
      count={lines.length}
      columnCount={columns.length}
      rowHeight={24}
      headerHeight={HEADER}
      show={lines.indexOf(index)}
      activeId={index >= 0 ? `request-${selected}` : undefined}
      header={
        <div
          class="request-row request-header"
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
          onContextMenu={openColumnMenu}
          onKeyDown={(event) => {
            if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openColumnMenu(event);
          }}
        >
          {columns.map((column, at) => (
            <Heading key={column.id} panel={panel} column={column} isFirst={at === 0} />
          ))}
        </div>
      }
      row={(place) => {
        const at = lines[place]!;
        if (typeof at === 'string') return <Navigation key={`navigation-${place}`} url={at} place={place} columnCount={columns.length} />;
        const row = rows[at]!;
        return (
          <RequestRow
            key={row.exchange.id}
            row={row}
            sentFrom={differsFrom(row.sent ?? '', sentNear(row, [rows[at - 1], rows[at + 1]]))}
            isOfServiceWorker={panel.requests.byServiceWorker.value.has(row.exchange.id)}
            isResent={panel.resend.answers.value.has(row.exchange.id)}
            place={place}
            columns={columns}
            template={template}
            isSelected={at === index}
            onSelect={() => select(row)}
            onMenu={(event) => {
              if (at !== index) select(row);
              openMenu(event, row);
            }}
          />
        );
      }}
      onKeyDown={(event) => {
        if ((event.target as HTMLElement).closest('.request-header')) return;
        const row = rows[index];
        if (row && (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return openMenu(event, row);
        if (row && event.key === 'c' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          return void panel.copy(row.exchange.url, 'URL');
        }
        const next = movedRow(event.key, index, rows.length);
        if (next === undefined) return;
        event.preventDefault();
        select(rows[next]!);
      }}
    />
  );
}

/** Column heading: sorts on click, and has a handle that resizes the column. */
function Heading({ panel, column, isFirst }: { panel: Panel; column: Column; isFirst: boolean }) {
  const { sorting } = panel.requests;
  const { id, label, title, isNumber } = column;
  const isSorted = sorting.value?.column === id;
  const arrow = isSorted ? (sorting.value!.isDescending ? ' ↓' : ' ↑') : '';
  const resize = (by: number): void => setColumnWidth(id, widthOf(column) + by);
  return (
    <span
      role="columnheader"
      class={isNumber ? 'number' : undefined}
      aria-sort={isSorted ? (sorting.value!.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      {id !== 'name' && (
        <i
          class="column-line"
          aria-hidden="true"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            event.preventDefault();
          }}
          onPointerMove={(event) => {
            // The handle is at the left edge, and the right edge stays in place.
            if (event.buttons === 1 && event.movementX !== 0) resize(-event.movementX);
          }}
        />
      )}
      <button
        class="sort"
        title={`${title}. Click to sort, right-click to choose the columns; Shift with the arrow keys resizes the column`}
        tabIndex={isFirst ? 0 : -1}
        onClick={() => {
          sorting.value = nextSorting(sorting.value, id);
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          if (event.shiftKey) return id === 'name' ? undefined : resize(step * STEP);
          const heading = event.currentTarget.parentElement!;
          const next = step > 0 ? heading.nextElementSibling : heading.previousElementSibling;
          next?.querySelector('button')?.focus();
        }}
      >
        {label}
        <span aria-hidden="true">{arrow}</span>
      </button>
    </span>
  );
}

/** Divider at the place where the page's address changed. */
function Navigation({ url, place, columnCount }: { url: string; place: number; columnCount: number }) {
  return (
    <div class="navigation-row muted" role="row" aria-rowindex={place + 2} title={visible(url)}>
      <span role="gridcell" aria-colspan={columnCount}>
        Navigated to {visible(url)}
      </span>
    </div>
  );
}

interface RequestRowProps {
  row: Row;
  /** Position at which the values of a call begin to differ from those of the calls next to it. */
  sentFrom: number;
  /** True if sent from the panel. */
  isResent: boolean;
  /** True if made by a service worker to answer a request of the page. */
  isOfServiceWorker: boolean;
  /** Line of the list. */
  place: number;
  columns: readonly Column[];
  template: string;
  isSelected: boolean;
  onSelect: () => void;
  onMenu: (event: MouseEvent) => void;
}

function RequestRow({ row, sentFrom, isResent, isOfServiceWorker, place, columns, template, isSelected, onSelect, onMenu }: RequestRowProps) {
  const { exchange } = row;
  return (
    <div
      id={`request-${exchange.id}`}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      class={`request-row${isSelected ? ' is-selected' : ''}${isFailed(row) ? ' is-bad' : ''}`}
      style={{ gridTemplateColumns: template }}
      onClick={onSelect}
      onContextMenu={onMenu}
    >
      {columns.map(({ id, isNumber }) => (
        <span role="gridcell" key={id} class={id === 'name' ? 'request-name' : isNumber ? 'number' : undefined} title={cellTitle(row, id)}>
          {isResent && id === 'name' && (
            <span class="sent-mark" title="Sent from this panel" role="img" aria-label="sent from this panel">
              ↻
            </span>
          )}
          {isOfServiceWorker && id === 'name' && (
            <span
              class="sent-mark worker-mark"
              title="Made by the service worker to answer the same request of the page"
              role="img"
              aria-label="made by the service worker"
            >
              ⚙
            </span>
          )}
          <Cell row={row} sentFrom={sentFrom} column={id} isMethodApart={columns.some((column) => column.id === 'method')} />
        </span>
      ))}
    </div>
  );
}

function cellTitle(row: Row, column: ColumnId): string | undefined {
  const { exchange } = row;
  if (column === 'name') return visible(`${exchange.method} ${exchange.url}`);
  if (column === 'status') return statusTitle(row);
  return column === 'initiator' ? visible(exchange.network?.initiator ?? '') : undefined;
}

interface CellProps extends Pick<RequestRowProps, 'row' | 'sentFrom'> {
  column: ColumnId;
  /** True if the method has a column of its own. */
  isMethodApart: boolean;
}

function Cell({ row, sentFrom, column, isMethodApart }: CellProps) {
  const { exchange } = row;
  switch (column) {
    case 'name':
      return (
        <>
          {exchange.method !== 'GET' && !isMethodApart && <span class="method">{exchange.method}</span>}
          {exchange.requestBody && exchange.messageType === undefined && (
            <span class="sent-mark" title="Has a request body" role="img" aria-label="has a request body">
              ↑
            </span>
          )}
          <Named row={row} sentFrom={sentFrom} />
        </>
      );
    case 'method':
      return <>{exchange.method}</>;
    case 'type':
      return <>{exchange.initiator}</>;
    case 'initiator':
      return <>{initiatorText(row)}</>;
    case 'start':
      return <>{formatTime(exchange.time)}</>;
    case 'status':
      return <>{statusText(row)}</>;
    case 'format':
      return exchange.messages ? <span class="chip">{formatLabel(row)}</span> : <FormatChip row={row} />;
    case 'size':
      return <>{formatBytes(row.size)}</>;
    case 'sent':
      return <>{exchange.transferred >= 0 ? formatBytes(exchange.transferred) : '–'}</>;
    case 'time':
      return <>{exchange.duration > 0 ? formatMilliseconds(exchange.duration) : '–'}</>;
    default:
      return column satisfies never;
  }
}

/** First values of the calls of the same method in the rows before and after one. */
function sentNear({ operation, sent }: Row, near: readonly (Row | undefined)[]): string[] {
  if (sent === undefined) return [];
  return near.flatMap((row) => (row?.operation === operation && row?.sent ? [row.sent] : []));
}

/** Name of a request: of a call its service, method and the values of the request. */
function Named({ row: { exchange, operation, sent = '' }, sentFrom }: Pick<RequestRowProps, 'row' | 'sentFrom'>) {
  const [service, method] = operation?.split('/') ?? [];
  return (
    <>
      {operation && (
        <span class="operation">
          {method !== undefined && <span class="service">{visible(`${service}/`)}</span>}
          {visible(method ?? operation)}
        </span>
      )}
      {/* The path of a call is its operation. */}
      {method === undefined
        ? nameOf(exchange.url)
        : sent && (
            <span class="sent-values" title={sent}>
              {sentFrom > 0 && '…'}
              {sent.slice(sentFrom)}
            </span>
          )}
    </>
  );
}

/** Script and line of the initiator, otherwise its kind. */
function initiatorText({ exchange }: Row): string {
  const [kind = '', place = ''] = (exchange.network?.initiator ?? '').split(', ', 2);
  // Evaluated code has a line, but no URL.
  return place === '' || place.startsWith(':') ? visible(kind) : nameOf(place);
}

/** HTTP status, or the gRPC status of a failed call. */
function statusText({ exchange, detection }: Row): string {
  const { rpc } = detection ?? {};
  if (rpc && rpc.code > 0) return `${rpc.code} ${rpc.name}`;
  if (exchange.status === 0) return exchange.method === 'FILE' ? '' : '–';
  return String(exchange.status);
}

function statusTitle({ exchange, detection, problem }: Row): string {
  const { rpc } = detection ?? {};
  if (problem) return `${exchange.status}, with GraphQL errors: ${visible(problem)}`;
  const http = `${exchange.status} ${exchange.statusText}`.trim();
  return rpc ? `HTTP ${http}, ${rpc.protocol} ${rpc.code} ${rpc.name}${rpc.message ? `: ${rpc.message}` : ''}` : http;
}

function FormatChip({ row }: { row: Row }) {
  const { detection } = row;
  const label = formatLabel(row);
  if (!detection?.format || detection.isTrailersOnly) return <span class="muted">{label || (detection ? '–' : '')}</span>;
  const { confidence, reasons } = detection;
  const sure = confidence >= 0.9 ? 'sure' : confidence >= 0.6 ? 'likely' : 'unsure';
  return (
    <span class={`chip chip-${sure}`} title={`${Math.round(confidence * 100)} %: ${reasons.join('; ')}`}>
      {label}
      {sure !== 'sure' && <span aria-label={sure}>{sure === 'likely' ? ' ?' : ' ??'}</span>}
    </span>
  );
}

function Empty({ panel }: { panel: Panel }) {
  const hasHidden = panel.requests.rows.value.length > 0;
  const unknown = unknownProperties(panel.requests.text.value);
  return (
    <div class="empty">
      {hasHidden ? (
        <>
          <h2>No request matches the filter</h2>
          <p>{panel.requests.rows.value.length} requests are hidden.</p>
          {unknown.length > 0 && (
            <p>
              The filter searches <code>{unknown[0]}:</code> as text. Its properties are {PROPERTY_NAMES.join(', ')}.
            </p>
          )}
          <button class="button" onClick={() => panel.requests.showAll()}>
            Show all
          </button>
        </>
      ) : (
        <>
          <h2>No requests yet</h2>
          <p>DevTools records requests only while it is open. Reload the page to see those made before, or use the page.</p>
          <p>Or drop a file here: a payload, or a schema (.proto, .avsc, .bop, .bfbs).</p>
        </>
      )}
    </div>
  );
}
