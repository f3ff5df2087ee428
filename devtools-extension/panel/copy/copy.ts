import { NONE } from '../../../core/sinks/spans/tree.ts';
import { hexOf, toBase64 } from '../../adapter/bytes.ts';
import type { OpenBody } from '../body/open-body.ts';
import { exportValue, stringify } from '../../values/value.ts';
import { pathText } from '../../values/value-text.ts';

/** Forms in which the selection can be copied. */
const COPY_FORMS = [
  { id: 'json', label: 'Value as JSON' },
  { id: 'path', label: 'Path' },
  { id: 'hex', label: 'Bytes as hex' },
  { id: 'base64', label: 'Bytes as base64' },
] as const;

/** Forms for the selection: those of bytes only if it has some. */
export function copyForms(body: OpenBody): readonly (typeof COPY_FORMS)[number][] {
  const hasBytes = selectedBytes(body).length > 0;
  return COPY_FORMS.filter(({ id }) => hasBytes || (id !== 'hex' && id !== 'base64'));
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

/** Text of the selection in a form. */
export function copyText(form: CopyForm, body: OpenBody): string {
  const { tree } = body;
  const node = selectedNode(body);
  switch (form) {
    case 'json':
      return tree && node !== NONE ? jsonOf(body, node) : '';
    case 'path':
      return tree && node !== NONE ? pathText(tree, node) : '$';
    case 'hex':
      return hexOf(selectedBytes(body));
    default:
      return toBase64(selectedBytes(body));
  }
}

export function jsonOf(body: OpenBody, node: number): string {
  return stringify(exportValue(body.tree!, node, body.format === 'protobuf'), '  ');
}

/** Downloads content as a file. */
export function saveFile(name: string, content: BlobPart, type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
