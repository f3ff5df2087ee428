import { ABOUT } from '../../../core/formats/registry.ts';
import type { SpanSetting } from '../../../core/sinks/spans/builder.ts';
import { isPanelFormat, type ReadFormat } from '../read-format.ts';

/** How the bytes of a format lie, in this body. */
export function spanSetting(format: ReadFormat, body: Uint8Array): SpanSetting {
  if (isPanelFormat(format)) return {};
  const { spans, unpacks = false } = ABOUT[format];
  return { ...spans, ...(unpacks && { body }) };
}
