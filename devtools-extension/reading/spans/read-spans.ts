import type { FormatId } from '../../../core/format/format-id.ts';
import { ABOUT, formatEntry } from '../../../core/formats/registry.ts';
import type { SpanSetting } from '../../../core/format/facts.ts';
import { DecodeSession } from '../../../core/format/decode-session.ts';
import { type ErrorRecord, recordError } from '../../../core/error-record.ts';
import { readHeader, startsAsContainer } from '../../../core/formats/avro/container/container.ts';
import { parseSchema } from '../../../core/formats/avro/schema/parse.ts';
import type { AvroSchema } from '../../../core/formats/avro/schema/schema.ts';
import { Message } from '../../../core/formats/capnproto/read/message.ts';
import { looksPacked, unpack } from '../../../core/formats/capnproto/read/packed.ts';
import type { ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { Budget } from '../../../core/budget.ts';
import { resolveLimits } from '../../../core/limits.ts';
import type { SpanData } from '../../../core/sinks/spans/tree.ts';
import { mapArrow } from './arrow-extents.ts';
import { mapCapnProto } from './capnproto-extents.ts';
import { groupFields } from './group-fields.ts';
import { mapFlatBuffers } from './flatbuffers-extents.ts';
import { nameMaps } from './named-maps.ts';
import { ShellSink } from './shell-sink.ts';
import { movePositions } from './packed-positions.ts';
import { walkProtobuf } from './protobuf-spans.ts';

/** Parameters for reading a body. */
export interface ReadSetting {
  format: FormatId;
  /** Options of the format's reader. */
  options?: { sequence?: boolean; packed?: boolean | 'auto'; maps?: 'map' } | undefined;
  /** Result of the format's `compileSchema`. */
  schema?: unknown;
}

/** Tree of a body; partial if there is an error. */
export interface SpanReading {
  data: SpanData;
  error: ErrorRecord | undefined;
  /** Milliseconds spent reading. */
  milliseconds: number;
}

/** Limits of a displayed tree. */
const LIMITS = resolveLimits({ depth: 4_000 });

/** Reads the positions of all values in a body. */
export async function readSpans(bytes: Uint8Array, setting: ReadSetting): Promise<SpanReading> {
  const { format, options } = setting;
  if (!formatEntry(format)) throw new Error(`Unknown format ${format}`);
  await loadFormat(format);
  const start = performance.now();
  const used = withSchemaOf(bytes, setting);
  if (format === 'messagepack' && !usesMaps(setting)) {
    const named = await readOnce(bytes, used, start);
    if (named.error?.code !== 'unsupported') return named;
    // A map has other keys than strings and numbers.
    const maps = await readOnce(bytes, { ...used, options: { ...options, maps: 'map' } }, start);
    return { ...maps, data: nameMaps(maps.data, bytes) };
  }
  return readOnce(bytes, used, start);
}

function usesMaps({ options }: ReadSetting): boolean {
  return options?.maps === 'map';
}

async function readOnce(bytes: Uint8Array, used: ReadSetting & { isContainer: boolean }, start: number): Promise<SpanReading> {
  const { format, options } = used;
  const sink = new ShellSink(bytes.length, spanSetting(format, bytes));
  let error = await readInto(bytes, sink, used);
  let data = sink.finish(error ? error.offset : undefined);
  data.format = format;
  data.sequence = used.isContainer || options?.sequence === true;
  data.schema = used.schema;
  if (format === 'flatbuffers') mapFlatBuffers(bytes, data);
  else if (format === 'arrow') mapArrow(bytes, data);
  else if (format === 'capnproto') error = mapMessages(bytes, data, used, error);
  else data = arranged(data, bytes, used);
  return { data, error, milliseconds: performance.now() - start };
}

/** Groups the fields of Protocol Buffers. */
export function arranged(data: SpanData, bytes: Uint8Array, { format }: ReadSetting): SpanData {
  return format === 'protobuf' ? groupFields(data, bytes, data.schema as ProtobufSchema | undefined) : data;
}

/** Reads a payload into a sink. Returns the error, if any. */
export async function readInto(bytes: Uint8Array, sink: ShellSink, setting: ReadSetting): Promise<ErrorRecord | undefined> {
  const { format, options } = setting;
  const module = await loadFormat(format);
  await module.prepare?.(bytes);
  const { schema } = withSchemaOf(bytes, setting);
  const { spanOptions } = ABOUT[format];
  try {
    if (format === 'protobuf') {
      walkProtobuf(bytes, sink, schema as ProtobufSchema | undefined, options);
    } else {
      const session = new DecodeSession({ id: format, format: module, options: { ...options, ...spanOptions }, limits: LIMITS, schema }, sink);
      session.end(bytes);
    }
    return undefined;
  } catch (thrown) {
    return recordError(thrown);
  }
}

/** Replaces the schema of an Avro container with the embedded one. */
function withSchemaOf(bytes: Uint8Array, setting: ReadSetting): ReadSetting & { isContainer: boolean } {
  if (setting.format !== 'avro') return { ...setting, isContainer: false };
  return { ...setting, ...avroSchema(bytes, setting.schema) };
}

/** Shows the data as written, without schema resolution. */
function avroSchema(bytes: Uint8Array, given: unknown): { schema: unknown; isContainer: boolean } {
  if (bytes.length >= 4 && startsAsContainer(bytes, 0, bytes.length)) {
    try {
      const header = readHeader(bytes, 0, bytes.length, 0, bytes.length);
      if (!('needed' in header))
        return { schema: { writerSchema: parseSchema(header.schema), readerSchema: undefined, registered: {} }, isContainer: true };
    } catch {
      // The reader will report the error.
    }
    return { schema: undefined, isContainer: true };
  }
  return { schema: given && { ...(given as AvroSchema), readerSchema: undefined }, isContainer: false };
}

/** Maps Cap'n Proto messages; positions in packed messages are moved from the unpacked bytes. */
function mapMessages(bytes: Uint8Array, data: SpanData, { options }: ReadSetting, error: ErrorRecord | undefined): ErrorRecord | undefined {
  const message = new Message();
  message.useWindow(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  const { packed = 'auto', sequence = false } = options ?? {};
  const isPacked = packed === 'auto' ? looksPacked(message, 0, bytes.length, false, sequence) : packed;
  if (!isPacked || data.count === 1) {
    mapCapnProto(bytes, data);
    return error;
  }
  const budget = new Budget(LIMITS);
  budget.receive(bytes.length);
  const unpacked = unpack(bytes, 0, bytes.length, 0, budget);
  mapCapnProto(unpacked, data);
  data.packed = true;
  const move = movePositions(data, bytes, unpacked.length);
  return error?.offset === undefined ? error : { ...error, offset: move(error.offset) };
}

/** Span settings of a format for this body. */
export function spanSetting(format: FormatId, body: Uint8Array): SpanSetting {
  const { spans, unpacks = false } = ABOUT[format];
  return { ...spans, ...(unpacks && { body }) };
}
