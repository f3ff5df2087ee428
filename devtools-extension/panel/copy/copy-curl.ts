import type { Exchange, Header } from '../../adapter/adapter.ts';
import { toBase64, utf8Of } from '../../adapter/bytes.ts';

/** Headers that curl sets itself, or that would contradict it. */
const OWN = /^(?:content-length|accept-encoding|host|connection)$/i;
/** Header name (RFC 9110, section 5.1). Excludes HTTP/2 pseudo-headers, and `@`, which makes curl read a file. */
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;

/**
 * POSIX shell command that repeats the request. Every word is quoted, because the page or a HAR file chose the method, the
 * address and the headers. A binary body is piped through base64.
 */
export function curlOf({ method, url, requestHeaders }: Exchange, sent: Uint8Array | undefined): string {
  const text = sent && textOf(sent);
  const data = !sent?.length ? [] : [`--data-binary ${text === undefined ? '@-' : quoted(text)}`];
  const isImplied = method === (data.length > 0 ? 'POST' : 'GET');
  const command = [
    `curl --globoff --url ${quoted(url)}`,
    ...(isImplied ? [] : [method === 'HEAD' ? '--head' : `-X ${quoted(method)}`]),
    ...requestHeaders.filter(({ name }) => NAME.test(name) && !OWN.test(name)).map((header) => `-H ${quoted(lineOf(header))}`),
    ...data,
    '--compressed --output body.bin',
  ].join(' \\\n  ');
  return sent && data.length > 0 && text === undefined ? `echo ${toBase64(sent)} | base64 -d | ${command}` : command;
}

/** Header in curl's syntax, which needs a semicolon instead of the colon to send an empty value. */
function lineOf({ name, value }: Header): string {
  const line = value.replaceAll(/[\r\n]+/g, ' ');
  return line.trim() === '' ? `${name};` : `${name}: ${line}`;
}

/**
 * Quoted word for a POSIX shell. Control characters are written with `printf`, because a terminal obeys them when they are
 * pasted; line feeds stay, NUL is dropped. `!` is quoted separately: an interactive bash expands it as history on the
 * second line of a word.
 */
function quoted(text: string): string {
  const inner = text
    .replaceAll('\0', '')
    .replaceAll(/['!]/g, String.raw`'\$&'`)
    .replaceAll(/(?:(?!\n)\p{Cc})+/gu, (controls) => `'"$(printf '${octal(controls)}')"'`);
  return `'${inner}'`;
}

function octal(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Body as text that a shell can hold; undefined if binary, or if it starts with @, which makes curl read a file. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = utf8Of(bytes);
  return text === undefined || /^@|(?![\t\n])\p{Cc}/u.test(text) ? undefined : text;
}
