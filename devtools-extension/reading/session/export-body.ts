import { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { exportValue } from '../../values/value.ts';
import type { ExportedBody, ReadAnswer } from '../protocol.ts';

/** The value of a body as JSON on one line, in UTF-8, or why there is none. */
export function exportBody({ data, bytes, detection, error }: ReadAnswer): ExportedBody {
  const format = detection.format ?? null;
  const reason = error?.reason ?? (data ? undefined : detection.reasons.join('; ') || 'unknown format');
  const tree = data && new SpanTree(data, bytes);
  if (!tree || tree.count < 2) return { format, reason: reason ?? 'The body is empty.', json: undefined };
  const json = JSON.stringify(exportValue(tree, tree.root, format === 'protobuf'));
  return { format, reason, json: new TextEncoder().encode(json) };
}
