import type { Input } from '../read/input.ts';
import type { Stack } from '../read/stack.ts';

/** Characters of the longest name in DNS (RFC 1035 section 2.3.4). */
const MAX_HOST_LENGTH = 253;

/**
 * Rejects a URL whose host is longer than DNS allows and contains non-ASCII, Punycode or percent-encoded characters:
 * engines convert these in quadratic time.
 */
export function checkUrl(text: string, input: Input, at: number): void {
  const url = text.replaceAll(/[\t\n\r]/g, '');
  // The schemes whose hosts are names (https://url.spec.whatwg.org/#special-scheme). `file:///x` has no host.
  const authority = /^[\0- ]*(?:(?:https?|wss?|ftp):[\\/]*|file:[\\/]{2})([^\\/?#]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.length <= MAX_HOST_LENGTH) return;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.length <= MAX_HOST_LENGTH || !/[^\0-\x7f]|%|xn--/i.test(host)) return;
  // Counts each code point once: not the continuation bytes of its UTF-8, nor the second half of a surrogate pair.
  const { length } = host.replaceAll(/%[89ab][\da-f]|[\udc00-\udfff]/gi, '').replaceAll(/%[\da-f]{2}/gi, 'x');
  if (length > MAX_HOST_LENGTH) input.fail('malformed', `URL whose host has more than ${MAX_HOST_LENGTH} characters`, at);
}

/** Checks the number of values and the depth of a JSON text against the limits. Parsing it later checks the syntax. */
export function checkJson(text: string, stack: Stack, offset: number): void {
  let { depth } = stack;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        break;
      case '[':
      case '{':
        stack.checkDepth(offset, depth);
        depth += 1;
        if (!isEmpty(text, at + 1)) stack.count(1, offset);
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        stack.count(1, offset);
        break;
      default:
    }
  }
}

/** True if a container that has begun before `at` ends there. */
function isEmpty(text: string, at: number): boolean {
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ']' || text[at] === '}';
}
