import { OpenBody } from '../../../devtools-extension/panel/body/open-body.ts';
import { detectFormat } from '../../../devtools-extension/reading/detect/detect-format.ts';
import { readSpans } from '../../../devtools-extension/reading/spans/read-spans.ts';
import type { FormatId } from '../../../core/format/format-id.ts';

/** Opens a body as the panel does. */
export async function openBody(format: FormatId, bytes: Uint8Array, schema?: unknown, contentType = ''): Promise<OpenBody> {
  const detection = await detectFormat(bytes, '', true, []);
  const reading = await readSpans(bytes, { format, schema });
  return new OpenBody(
    { detection: { ...detection, format }, bytes, content: bytes, isPart: false, ...reading },
    { lossy: false, received: bytes.length, schema: undefined, contentType },
  );
}

/** Runs sliced work to its result. */
export function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
