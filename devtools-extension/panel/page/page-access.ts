import type { Exchange } from '../../adapter/adapter.ts';

/**
 * Origins of pages that may receive a request's headers and bodies: the page that made it, according to `Origin` or
 * `Referer`, and pages of the server. Any other page, for example one opened since, may not.
 */
function originsOf({ url, requestHeaders }: Exchange): Set<string> {
  const header = (wanted: string): string => requestHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  const origins = [originOf(header('origin')) ?? originOf(header('referer')), originOf(url)];
  return new Set(origins.filter((origin) => origin !== undefined));
}

/** True if a page of this origin may receive the request. Opened files and `data:` URLs belong to no page. */
export function isOfPage(exchange: Exchange, origin: string): boolean {
  const origins = originsOf(exchange);
  return origins.size === 0 || origins.has(origin);
}

/** Explains why the current page does not receive the request. */
export function otherPageMessage(exchange: Exchange, origin: string): string {
  const [first = ''] = originsOf(exchange);
  return `This request belongs to ${first}, but the open page belongs to ${origin} and would see its data. Open a page of ${first} first.`;
}

/** Origin of a URL; undefined for URLs without one, such as files. */
function originOf(address: string): string | undefined {
  try {
    const { origin } = new URL(address);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
