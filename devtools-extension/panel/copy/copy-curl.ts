import type { Exchange, Header } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';

/** Headers that curl sets itself, or that would contradict what it does. */
const OWN = /^(?:content-length|accept-encoding|host|connection)$/i;
/** The name of a header (RFC 9110, section 5.1). HTTP/2 has others that begin with a colon, and curl reads a file for `@`. */
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;

/**
 * A command for a POSIX shell that sends the request again. Every word is quoted, since the page or a HAR file has chosen
 * the method, the address and the headers. Bytes that are no text come out of base64.
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

/** A header as curl takes it: it drops one whose value is empty, unless a semicolon stands for the colon. */
function lineOf({ name, value }: Header): string {
  const line = value.replaceAll(/[\r\n]+/g, ' ');
  return line.trim() === '' ? `${name};` : `${name}: ${line}`;
}

/**
 * A word for a POSIX shell. Control characters are written by `printf`, since a terminal obeys them when they are pasted;
 * lines stay lines, and a word cannot have a NUL. Quotes alone do not keep an interactive bash from taking `!` for
 * history in the second line of a word.
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

/** Text that a shell can hold; curl takes one that begins with @ for a file's name. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /^@|(?![\t\n])\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
