import { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { schemaInUse } from '../../describe/with-schema/protobuf.ts';
import type { ReadAnswer } from '../protocol.ts';

/** An answer without what the panel does not show of its schema. */
export function forPanel(answer: ReadAnswer): ReadAnswer {
  const { data, bytes } = answer;
  if (data?.format !== 'protobuf' || data.schema === undefined) return answer;
  return { ...answer, data: { ...data, schema: schemaInUse(new SpanTree(data, bytes)) } };
}
