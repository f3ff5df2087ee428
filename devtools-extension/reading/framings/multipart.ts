import { detectByMediaType } from '../../../core/formats/detect.ts';
import { utf8Of } from '../../adapter/bytes.ts';
import { trailerLines } from './grpc.ts';
import { type Framing, type Piece, textOf } from './framing.ts';

/**
 * Parts of a multipart body (RFC 2046, section 5.1; RFC 7578 for forms): headers, an empty line and content, between
 * boundary lines. Incremental delivery of GraphQL uses it.
 */
export function findMultipart(bytes: Uint8Array, contentType: string): Framing | undefined {
  const [, quoted, plain] = /^multipart\/[^;]+;.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const mark = new TextEncoder().encode(`--${boundary}`);
  const pieces: Piece[] = [];
  let at = find(bytes, mark, 0);
  while (at >= 0) {
    let from = at + mark.length;
    // Two hyphens after the boundary end the body.
    if (bytes[from] === 0x2d && bytes[from + 1] === 0x2d) break;
    while (from < bytes.length && bytes[from] !== 0x0a) from += 1;
    from += 1;
    const next = find(bytes, mark, from);
    const end = next < 0 ? bytes.length : lineEnd(bytes, next);
    pieces.push(partOf(bytes, at, from, Math.max(from, end), next < 0 ? bytes.length : next));
    at = next;
  }
  return pieces.length === 0 ? undefined : { wrapping: 'multipart', isList: true, pieces, format: 'json' };
}

function partOf(bytes: Uint8Array, start: number, from: number, end: number, next: number): Piece {
  let body = from;
  // Skips the headers up to the empty line.
  while (body < end && bytes[body] !== 0x0a && !(bytes[body] === 0x0d && bytes[body + 1] === 0x0a)) {
    const feed = bytes.indexOf(0x0a, body);
    body = feed < 0 || feed >= end ? end : feed + 1;
  }
  const headers = trailerLines(bytes, from, body);
  const content = Math.min(end, body + (bytes[body] === 0x0d ? 2 : 1));
  const type = headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const disposition = headers.find(({ name }) => name === 'content-disposition')?.value ?? '';
  const name = /\bname="([^"]*)"/.exec(disposition)?.[1];
  const text = utf8Of(bytes.subarray(content, end));
  const isJson = detectByMediaType(type)?.entry.id === 'json' || (type === '' && [0x7b, 0x5b].includes(bytes[content]!));
  return {
    type: name === undefined ? 'part' : `part ${name}`,
    from: start,
    end: next,
    parts: [
      { name: 'boundary', type: 'boundary', from: start, end: from, value: textOf(bytes, start, from).trim() },
      ...headers.map((header) => ({ ...header, type: 'header' })),
      isJson
        ? { name: 'value', from: content, end, format: 'json' as const }
        : text !== undefined && !/[^\P{Cc}\t\r\n]/u.test(text)
          ? { name: 'value', type: 'text', from: content, end, value: text }
          : { name: 'value', from: content, end, isCompressed: true },
    ],
  };
}

/** Excludes the line end before a boundary, which belongs to it. */
function lineEnd(bytes: Uint8Array, boundary: number): number {
  if (bytes[boundary - 1] !== 0x0a) return boundary;
  return bytes[boundary - 2] === 0x0d ? boundary - 2 : boundary - 1;
}

function find(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(mark[0]!, from); at >= 0; at = bytes.indexOf(mark[0]!, at + 1)) {
    let i = 1;
    while (i < mark.length && bytes[at + i] === mark[i]) i += 1;
    if (i === mark.length) return at;
  }
  return -1;
}

/** Fields of a form with their byte ranges (https://url.spec.whatwg.org/#urlencoded-parsing). */
export function findForm(bytes: Uint8Array, contentType: string): Framing | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType) || bytes.length === 0) return undefined;
  const parts: Piece['parts'] = [];
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(0x26, at);
    const end = found < 0 ? bytes.length : found;
    const [[name, value] = ['', '']] = [...new URLSearchParams(textOf(bytes, at, end))];
    const equals = bytes.indexOf(0x3d, at);
    const from = equals >= 0 && equals < end ? equals + 1 : end;
    if (end > at) parts.push({ name, type: 'field', from, end, value });
    at = end + 1;
  }
  return { wrapping: 'form', isList: false, pieces: [{ type: 'form', from: 0, end: bytes.length, parts }], format: 'json' };
}
