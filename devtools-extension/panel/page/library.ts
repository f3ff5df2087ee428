import type { DecodeReport } from '../../../main/decoder/observe.ts';
import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import { isOfPage } from './page-of.ts';

/** Milliseconds by which the clocks of page and network may differ. */
const SLACK = 20;

/**
 * The library's reports of a response. A URL may be requested many times: a decode belongs to the last request that began
 * before it. Other pages' requests have none.
 */
export function reportsOf({ origin, decodes, timeOrigin }: LibraryState, exchange: Exchange, all: readonly Exchange[]): DecodeReport[] {
  if (origin !== undefined && !isOfPage(exchange, origin)) return [];
  const alike = all.filter(({ url }) => url === exchange.url);
  return decodes.filter((report) => {
    if (report.url !== exchange.url) return false;
    const start = timeOrigin + report.startTime + SLACK;
    const begun = alike.filter(({ time }) => time <= start);
    const latest = begun.reduce<Exchange | undefined>((last, other) => (last && last.time > other.time ? last : other), undefined);
    return latest === undefined || latest === exchange;
  });
}

/** Id of the decode whose body the page keeps for this response; undefined without one. */
export function keptDecode(state: LibraryState, exchange: Exchange, all: readonly Exchange[]): number | undefined {
  return reportsOf(state, exchange, all).findLast(({ id }) => state.bodies.includes(id))?.id;
}
