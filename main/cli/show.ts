import { joined } from '../../core/bytes/byte-input.ts';
import { DecodeError, LimitError } from '../../core/errors.ts';
import { DecodeSession } from '../../core/format/decode-session.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { looksLikeMarkup } from '../../core/formats/detect.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { ABOUT, formatEntry } from '../../core/formats/registry.ts';
import { resolveLimits } from '../../core/limits.ts';
import { SpanSink } from '../../core/sinks/spans/spans.ts';
import { SpanTree } from '../../core/sinks/spans/tree.ts';
import type { Payload } from './convert.ts';
import { type Look, outline } from './outline.ts';
import { candidates, type FileFormat } from './payload-file.ts';

/** Bytes of a payload that are read. What they hold fills more screens than anybody reads. */
const SHOWN_BYTES = 16 * 1024 * 1024;

/** Formats whose values may begin anywhere, so that all of a payload is read. */
const SCATTERED: readonly FormatId[] = ['arrow', 'capnproto', 'flatbuffers'];

/** The values in the bytes of a payload, and the error that ended them. */
interface Reading {
  format: FormatId;
  tree: SpanTree;
  error: DecodeError | LimitError | undefined;
}

/**
 * A payload as lines of text: a tree of its values with their bytes and types, and lists of records as tables. Of a payload of more
 * than 16 MB, the beginning, and the rest is not read. Throws the error of a damaged payload after the lines before it.
 */
export async function* shown({ source, from, schema }: Payload, look: Look): AsyncGenerator<string> {
  const limit = from && SCATTERED.includes(from.format) ? Infinity : SHOWN_BYTES;
  const { bytes, isCut } = await beginning(source, limit);
  if (bytes.length === 0) throw new DecodeError('empty', 'the payload is empty', { offset: 0 });
  if (looksLikeMarkup(bytes)) throw new DecodeError('unknown-format', 'the payload is an HTML or XML document', { offset: 0 });
  const { format, tree, error } = await readingOf(bytes, from, schema, isCut);
  yield* outline(tree, { ...look, format: ABOUT[format].label });
  if (isCut) yield `… only the first ${(bytes.length / 1_000_000).toFixed(1)} MB were read\n`;
  else if (error) throw error;
}

/** The beginning of a payload. The rest is not read. */
async function beginning(source: AsyncIterable<Uint8Array>, limit: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isCut = false;
  for await (const chunk of source) {
    isCut = size >= limit;
    if (isCut) break;
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
    size += chunk.length;
  }
  return { bytes: joined(chunks), isCut };
}

/** Reads a payload in its format, or in those that it may have until one fits. */
async function readingOf(bytes: Uint8Array<ArrayBuffer>, from: FileFormat | undefined, schema: Payload['schema'], isCut: boolean): Promise<Reading> {
  let first: Reading | undefined;
  for (const candidate of from ? [from] : candidates(bytes)) {
    const reading = await read(bytes, candidate, schema);
    if (!reading.error || (isCut && isCutOff(reading.error))) return reading;
    first ??= reading;
  }
  if (first) return first;
  throw new DecodeError('unknown-format', 'the format is not known: add --from with its name', { offset: 0 });
}

function isCutOff(error: Error): boolean {
  return error instanceof DecodeError && error.code === 'truncated';
}

async function read(bytes: Uint8Array<ArrayBuffer>, { format, reading }: FileFormat, given: Payload['schema']): Promise<Reading> {
  const module = await loadFormat(format);
  const { spans, spanOptions, unpacks = false } = ABOUT[format];
  const isGiven = given?.format === format;
  if (!isGiven && formatEntry(format)?.schema === true) throw new DecodeError('unsupported', `${format} needs a schema: add --schema`, { offset: 0 });
  const schema: unknown = isGiven ? await module.compileSchema?.(given.schema) : undefined;
  const byNumber = format === 'protobuf' && !isGiven && { schemaless: true };
  await module.prepare?.(bytes);
  const readInto = (options: object): Reading => {
    const sink = new SpanSink(bytes.length, { ...spans, ...(unpacks && { body: bytes }) });
    const setting = { id: format, format: module, options: { ...reading, ...options, ...spanOptions, ...byNumber }, limits: resolveLimits(), schema };
    let error: Reading['error'];
    try {
      new DecodeSession(setting, sink).end(bytes);
    } catch (thrown) {
      if (!(thrown instanceof DecodeError || thrown instanceof LimitError)) throw thrown;
      error = thrown;
    }
    const data = sink.finish(error?.offset);
    data.format = format;
    return { format, tree: new SpanTree(data, bytes), error };
  };
  const plain = readInto({});
  // A map has other keys than text.
  return format === 'messagepack' && plain.error instanceof DecodeError && plain.error.code === 'unsupported' ? readInto({ maps: 'map' }) : plain;
}
