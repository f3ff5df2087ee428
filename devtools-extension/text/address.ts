import { visible } from './visible-text.ts';

/** Last segment of a URL, for display. */
export function nameOf(url: string): string {
  try {
    const { pathname, search, hostname } = new URL(url);
    const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
    return visible(decodeURIComponent(last) + search);
  } catch {
    return visible(url.slice(0, 100));
  }
}

/** URL without query and fragment. */
export function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}
