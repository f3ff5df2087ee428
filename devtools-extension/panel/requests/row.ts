import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/formats/registry.ts';

/** A request in the list. */
export interface Row {
  exchange: Exchange;
  /** Undefined until the body was looked at. */
  detection: Detection | undefined;
  /** What the response's bytes and its Content-Type alone were taken for. */
  found: Detection | undefined;
  /** What a call of GraphQL or gRPC asks for. */
  operation: string | undefined;
  /** Bytes of the body, −1 where unknown. */
  size: number;
  /** Milliseconds to decode the body here, once the format's code is warm. */
  decodeMs: number | undefined;
}

/** Kinds of requests to show: `data` leaves out documents, scripts, styles, images and fonts; `binary` JSON too. */
export type Shown = 'all' | 'data' | 'binary';

/** What the list is filtered by. */
export interface RowFilter {
  text: string;
  shown: Shown;
  format: FormatId | '';
}

const NO_DATA = /^(?:document|stylesheet|script|image|font|media|manifest|ping|preflight|texttrack)$/;

export function newRow(exchange: Exchange): Row {
  return { exchange, detection: undefined, found: undefined, operation: undefined, size: exchange.encodedSize, decodeMs: undefined };
}

/** Whether a request has failed: by its status, without a response, by the browser's word, or as a call of gRPC. */
export function isFailed({ exchange, detection }: Row): boolean {
  const { status, method, initiator, hasFailed = false } = exchange;
  const isUnanswered = status === 0 && method !== 'FILE' && initiator !== 'websocket';
  return status >= 400 || isUnanswered || hasFailed || (detection?.rpc?.code ?? 0) > 0;
}

/** Whether a request may carry data: documents, scripts, styles, images and fonts do not. */
export function mayBeData({ initiator }: Exchange): boolean {
  return !NO_DATA.test(initiator);
}

/** The rows that pass a filter, in their order. */
export function filterRows(rows: readonly Row[], { text, shown, format }: RowFilter): readonly Row[] {
  const needle = text.trim().toLowerCase();
  return rows.filter((row) => {
    const { exchange, detection } = row;
    if (needle && !searchedText(row).includes(needle)) return false;
    if (format && detection?.format !== format) return false;
    if (shown === 'all') return true;
    if (shown === 'binary') return detection?.format !== undefined && detection.format !== 'json';
    return detection?.format !== undefined || mayBeData(exchange);
  });
}

/** What rows are searched in, with what that was made of: filters ask anew with each letter. */
const searched = new WeakMap<Row, { text: string; detection: Detection | undefined; operation: string | undefined }>();

function searchedText(row: Row): string {
  const { exchange, detection, operation } = row;
  const known = searched.get(row);
  if (known && known.detection === detection && known.operation === operation) return known.text;
  const text = `${operation ?? ''} ${exchange.method} ${exchange.url} ${exchange.status} ${detection?.format ?? ''}`.toLowerCase();
  searched.set(row, { text, detection, operation });
  return text;
}
