import { DecodeSession } from '../../worker/decode.ts';
import { type ErrorRecord, recordError } from '../../worker/errors.ts';
import { type FormatId, formatEntry } from '../../worker/formats/registry.ts';
import { resolveLimits } from '../../worker/limits.ts';
import { spanOptions, spanSetting } from '../../worker/sinks/span-settings.ts';
import type { SpanData } from '../../worker/sinks/span-tree.ts';
import { SpanSink } from '../../worker/sinks/spans.ts';
import type { ProtobufSchema } from '../../worker/formats/protobuf/schema.ts';
import { walkProtobuf } from './protobuf-spans.ts';

/** What a body is read as. */
export interface ReadSetting {
  format: FormatId;
  /** Options of the format's reader. */
  options?: object | undefined;
  /** What the format's `compileSchema` returned. */
  schema?: unknown;
}

/** A body's tree; with an error, as far as it goes. */
export interface SpanReading {
  data: SpanData;
  error: ErrorRecord | undefined;
  /** What reading took, in milliseconds. */
  milliseconds: number;
}

/** Most containers inside one another that are shown. */
const LIMITS = resolveLimits({ depth: 4_000 });

/** Reads where every value of a body lies. */
export async function readSpans(bytes: Uint8Array, { format, options, schema }: ReadSetting): Promise<SpanReading> {
  const entry = formatEntry(format);
  if (!entry) throw new Error(`There is no format ${format}`);
  const module = (await entry.load()).default;
  await module.prepare?.(bytes);
  const sink = new SpanSink(bytes.length, spanSetting(format, bytes));
  const start = performance.now();
  let error: ErrorRecord | undefined;
  try {
    if (format === 'protobuf') {
      walkProtobuf(bytes, sink, schema as ProtobufSchema | undefined, options);
    } else {
      const session = new DecodeSession(
        { id: format, format: module, options: { ...options, ...spanOptions(format) }, limits: LIMITS, schema },
        sink,
      );
      session.push(bytes);
      session.end();
    }
  } catch (thrown) {
    error = recordError(thrown);
  }
  const data = sink.finish(error ? error.offset : undefined);
  return { data, error, milliseconds: performance.now() - start };
}
