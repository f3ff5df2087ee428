import { visible } from './visible-text.ts';

/** The last part of an address, which people know it by. What cannot be seen is escaped. */
export function nameOf(url: string): string {
  try {
    const { pathname, search, hostname } = new URL(url);
    const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
    return visible(decodeURIComponent(last) + search);
  } catch {
    return visible(url.slice(0, 100));
  }
}

/** An address without what changes from call to call. */
export function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}
