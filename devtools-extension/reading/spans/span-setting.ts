import { ABOUT, type FormatId } from '../../../core/formats/registry.ts';
import type { SpanSetting } from '../../../core/sinks/spans/builder.ts';

/** Span settings of a format for this body. */
export function spanSetting(format: FormatId, body: Uint8Array): SpanSetting {
  const { spans, unpacks = false } = ABOUT[format];
  return { ...spans, ...(unpacks && { body }) };
}
