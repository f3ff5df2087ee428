import { headerOf, type ServerRequest } from './server-request.ts';

/** Characters of an entity tag (RFC 9110 section 8.8.3). */
const ALLOWED = /^[\x21\x23-\x7e\x80-\xff]*$/;

/**
 * The entity tag of a value's version in a format: a 304 must not stand for another format. It is weak, since it is the same
 * in each compression.
 */
export function entityTag(version: string, format: string, sequence: boolean): string {
  if (!ALLOWED.test(version)) throw new TypeError(`the etag ${JSON.stringify(version)} has characters that entity tags cannot have`);
  return `W/"${version}-${format}${sequence ? '-seq' : ''}"`;
}

/** The start of the SHA-256 of some bytes, as text. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes), 0, 16);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True if a client has the representation with this tag already (RFC 9110 section 13.1.2; weak comparison). */
export function isKnown(request: ServerRequest, tag: string): boolean {
  const tags = headerOf(request, 'if-none-match');
  if (tags === undefined) return false;
  // A tag may contain commas.
  return tags.trim() === '*' || tags.match(/"[^"]*"/g)?.includes(tag.slice('W/'.length)) === true;
}
