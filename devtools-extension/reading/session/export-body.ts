import { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { exportValue } from '../../values/value.ts';
import type { ExportedBody, ReadAnswer } from '../protocol.ts';

/** Value of a body as one line of JSON in UTF-8, or the reason why it is missing. */
export function exportBody({ data, bytes, detection, error }: ReadAnswer): ExportedBody {
  const format = detection.format ?? null;
  const reason = error?.reason ?? (data ? undefined : detection.reasons.join('; ') || 'unknown format');
  const tree = data && new SpanTree(data, bytes);
  if (!tree || tree.count < 2) return { format, reason: reason ?? 'The body is empty.', json: undefined };
  const json = JSON.stringify(exportValue(tree, tree.root, format === 'protobuf'));
  return { format, reason, json: new TextEncoder().encode(json) };
}
