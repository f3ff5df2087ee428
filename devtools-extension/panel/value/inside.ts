import { BINARY, NONE, type SpanTree, STRING, TEXT } from '../../../core/sinks/spans/tree.ts';
import { fromAnyBase64, withoutPadding } from '../../adapter/bytes.ts';
import type { OpenBody } from '../body/open-body.ts';

/** Maximum length of text searched for a payload, in UTF-16 units. */
const MAX_TEXT = 32_000_000;
/** Shorter text is more likely a word. */
const MIN_TEXT = 8;

/** Bytes inside a value that may be a payload. */
export interface Inside {
  /** How the value represents them. */
  how: 'bytes' | 'text' | 'base64' | 'hex';
  bytes: () => Uint8Array;
  /** Full name of the message in a Protocol Buffers `Any`. */
  message?: string;
  /** Maps an offset in the payload to one in the body; undefined if impossible. */
  placeOf?: (offset: number) => number;
}

/** Possible payloads in a value: its bytes, or text that is JSON, base64 or hexadecimal. */
export function insideOf(body: OpenBody, node: number): Inside[] {
  const tree = body.tree!;
  if (node === NONE || node === 0 || node >= tree.count) return [];
  const kind = tree.data.kinds[node];
  if (kind === BINARY) {
    const bytes = tree.binary(node);
    const isHere = bytes.buffer === body.bytes.buffer;
    const from = bytes.byteOffset - body.bytes.byteOffset;
    const message = body.format === 'protobuf' ? anyMessage(tree, node) : undefined;
    const placeOf = (offset: number): number => from + offset;
    return bytes.length === 0 ? [] : [{ how: 'bytes', bytes: () => bytes, ...(message !== undefined && { message }), ...(isHere && { placeOf }) }];
  }
  if (kind !== STRING && kind !== TEXT) return [];
  const text = tree.text(node, MAX_TEXT);
  const found: Inside[] = [];
  // Escaped text has no direct position in the body.
  const from = kind === STRING ? tree.payload(node) : -1;
  if (/^\s*[[{]/.test(text))
    found.push({ how: 'text', bytes: () => new TextEncoder().encode(text), ...(from >= 0 && { placeOf: (offset) => from + offset }) });
  const start = /^data:[^,]*;base64,/.exec(text)?.[0].length ?? 0;
  const base64 = text.slice(start);
  if (base64.length >= MIN_TEXT && isBase64(base64)) {
    found.push({
      how: 'base64',
      bytes: () => fromAnyBase64(base64),
      ...(from >= 0 && { placeOf: (offset) => from + start + Math.floor((offset * 4) / 3) }),
    });
  }
  if (text.length >= MIN_TEXT && text.length % 2 === 0 && /^[\da-f]+$/i.test(text)) {
    found.push({
      how: 'hex',
      bytes: () => Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16)),
      ...(from >= 0 && { placeOf: (offset) => from + offset * 2 }),
    });
  }
  return found;
}

/** Message name of an `Any`: the last segment of its `type_url`. */
function anyMessage(tree: SpanTree, node: number): string | undefined {
  const key = tree.key(node);
  if (key !== 'value' && key !== '2') return undefined;
  const wanted = key === 'value' ? 'type_url' : '1';
  const url = tree.children(tree.data.parents[node]!, 2).find((child) => tree.key(child) === wanted);
  if (url === undefined || tree.data.kinds[url] !== STRING) return undefined;
  return /^[^\s/]+\/(?:[^\s/]+\/)*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(tree.text(url, 500))?.[1];
}

/** RFC 4648, sections 4 and 5, with padding or without. */
function isBase64(text: string): boolean {
  return withoutPadding(text).length % 4 !== 1 && /^(?:[A-Za-z\d+/]+|[A-Za-z\d_-]+)={0,2}$/.test(text);
}
