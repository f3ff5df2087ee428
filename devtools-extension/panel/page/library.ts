import type { DecodeReport } from '../../../main/decoder/observe.ts';
import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import { isOfPage } from './page-of.ts';

/** Clocks of the page and of the network differ by a little. */
const SLACK = 20;

/**
 * What the library says of the decodes of a response. An address may have been asked for many times: a decode is of the
 * last request that began before it. A page has nothing to say of requests that another page made.
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

/** The decode of a response whose body the page has kept. */
export function keptDecode(state: LibraryState, exchange: Exchange, all: readonly Exchange[]): number | undefined {
  return reportsOf(state, exchange, all).findLast(({ id }) => state.bodies.includes(id))?.id;
}
