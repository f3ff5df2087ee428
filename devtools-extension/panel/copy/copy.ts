import { NONE } from '../../../core/sinks/spans/tree.ts';
import type { Exchange } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';
import { curlOf } from './copy-curl.ts';
import { fetchOf } from './copy-fetch.ts';
import type { OpenBody } from '../body/open-body.ts';
import { type Exported, exportValue, stringify } from '../../values/value.ts';
import { pathText } from '../../values/value-text.ts';

/** Forms in which the selection can be copied. */
const COPY_FORMS = [
  { id: 'json', label: 'Value as JSON' },
  { id: 'path', label: 'Path' },
  { id: 'hex', label: 'Bytes as hex' },
  { id: 'base64', label: 'Bytes as base64' },
  { id: 'javascript', label: 'Bytes as Uint8Array' },
  { id: 'fixture', label: 'Test fixture' },
  { id: 'curl', label: 'Request as cURL' },
  { id: 'fetch', label: 'Request as fetch' },
] as const;

/** Forms that show bytes. */
const BYTE_FORMS: ReadonlySet<string> = new Set(['hex', 'base64', 'javascript', 'fixture']);

/** Forms for the selection: those of bytes only if it has some. */
export function copyForms(body: OpenBody): readonly (typeof COPY_FORMS)[number][] {
  const hasBytes = selectedBytes(body).length > 0;
  return COPY_FORMS.filter(({ id }) => hasBytes || !BYTE_FORMS.has(id));
}

export type CopyForm = (typeof COPY_FORMS)[number]['id'];

/** Bytes of the selected value, or of the whole body without a selection. */
function selectedBytes(body: OpenBody): Uint8Array {
  const { tree } = body;
  const node = selectedNode(body);
  return tree && node !== NONE ? body.bytes.subarray(tree.data.values[node], tree.data.ends[node]) : body.bytes;
}

function selectedNode({ tree, selected }: OpenBody): number {
  return selected.value === NONE || selected.value === 0 ? (tree?.root ?? NONE) : selected.value;
}

/** Text of the selection in a form. `sent` is the request's body, for cURL and `fetch`. */
export function copyText(form: CopyForm, body: OpenBody, exchange: Exchange, sent?: Uint8Array): string {
  const { tree } = body;
  const node = selectedNode(body);
  const bytes = selectedBytes(body);
  switch (form) {
    case 'json':
      return tree && node !== NONE ? jsonOf(body, node) : '';
    case 'path':
      return tree && node !== NONE ? pathText(tree, node) : '$';
    case 'hex':
      return hexOf(bytes, ' ');
    case 'base64':
      return toBase64(bytes);
    case 'javascript':
      return `Uint8Array.of(${Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')})`;
    case 'fixture':
      return stringify(fixtureOf(body, node, bytes), '  ');
    case 'fetch':
      return fetchOf(exchange, sent);
    default:
      return curlOf(exchange, sent);
  }
}

function fixtureOf({ format, tree }: OpenBody, node: number, bytes: Uint8Array): Exported {
  return {
    ...(format && { format }),
    hex: hexOf(bytes, ''),
    ...(tree && node !== NONE && { value: exportValue(tree, node, format === 'protobuf') }),
  };
}

export function jsonOf(body: OpenBody, node: number): string {
  return stringify(exportValue(body.tree!, node, body.format === 'protobuf'), '  ');
}

export function hexOf(bytes: Uint8Array, between: string): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(between);
}

/** Downloads content as a file. */
export function saveFile(name: string, content: BlobPart, type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
