import type { Exchange } from '../../adapter/adapter.ts';

/**
 * Origins of the pages that may be told of a request, and handed its headers and bodies: the page that made it, which the
 * browser names in `Origin` or `Referer`, and pages of the server itself. Any other page that is open by now, as after a
 * navigation, is somebody else's.
 */
function originsOf({ url, requestHeaders }: Exchange): Set<string> {
  const header = (wanted: string): string => requestHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  const origins = [originOf(header('origin')) ?? originOf(header('referer')), originOf(url)];
  return new Set(origins.filter((origin) => origin !== undefined));
}

/** True if a page of an origin may be told of a request. Files that somebody has opened, and `data:` addresses, are of no page. */
export function isOfPage(exchange: Exchange, origin: string): boolean {
  const origins = originsOf(exchange);
  return origins.size === 0 || origins.has(origin);
}

/** Why a page is not told of a request, for people. */
export function otherPage(exchange: Exchange, origin: string): string {
  const [first = ''] = originsOf(exchange);
  return `This request is of ${first}, and the page that is open is of ${origin}, which would see what was sent. Open a page of ${first} first.`;
}

/** The origin of an address; undefined where it has none, as of a file. */
function originOf(address: string): string | undefined {
  try {
    const { origin } = new URL(address);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
