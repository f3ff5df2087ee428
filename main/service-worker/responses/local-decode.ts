import { serialiseBlock } from '../../../core/block/block-file.ts';
import { DecodeSession, type SessionSetting } from '../../../core/format/decode-session.ts';
import type { BatchSetting } from '../../../worker/protocol.ts';
import { ColumnSink } from '../../../core/sinks/columns/columns.ts';
import type { ReviveTag } from '../../../core/reading/revive.ts';
import { JsonTextSink } from '../../../core/sinks/json/text.ts';
import type { JsonTextOptions } from '../../../core/sinks/json/values.ts';
import { formatRevive } from '../../../core/reading/format-revive.ts';
import { Collector, type Decode, type Consumer } from './consumer.ts';
import { decodeInSlices, type SliceOptions } from './response-slices.ts';

/** Decodes a body on this thread into the parts of a block, which are emitted once full. */
export async function decodeToBlock(
  body: ReadableStream<Uint8Array>,
  setting: SessionSetting,
  options: SliceOptions,
  batches: BatchSetting | undefined,
  consumer: Consumer,
): Promise<void> {
  const parts: ArrayBuffer[] = [];
  const sink = new ColumnSink((part) => parts.push(part), setting.limits);
  if (batches) sink.batch(batches.path, batches.items);
  const send = async (): Promise<void> => {
    for (let part = parts.shift(); part; part = parts.shift()) await consumer.take(part);
  };
  const sent = (): Promise<void> => {
    if (batches && batches.items === undefined) sink.cut();
    return send();
  };
  try {
    await decodeInSlices(body, new DecodeSession(setting, sink), { ...options, sent });
  } catch (error) {
    // Items read before the error are valid.
    if (batches && !options.signal?.aborted) {
      salvage(sink);
      await send();
    }
    throw error;
  }
  sink.finish();
  await send();
}

/** Options for writing the text. */
export interface JsonOptions extends JsonTextOptions {
  revive: ReviveTag | undefined;
}

/** Rewrites a payload as JSON text, on this thread. */
export async function decodeToJson(
  body: ReadableStream<Uint8Array>,
  setting: SessionSetting,
  options: SliceOptions,
  { revive, ...text }: JsonOptions,
  consumer: Consumer,
): Promise<void> {
  const sink = new JsonTextSink(formatRevive(setting.format, revive), text, setting.limits);
  const sent = (): Promise<void> | undefined => {
    const piece = sink.take();
    return piece && consumer.take(piece.buffer);
  };
  await decodeInSlices(body, new DecodeSession(setting, sink), { ...options, sent });
  await sent();
}

/** Decodes a payload into a serialised block. */
export async function writeBlock(decode: Decode): Promise<ArrayBuffer> {
  const collector = new Collector();
  await decode(collector);
  return serialiseBlock(collector.pieces);
}

function salvage(sink: ColumnSink): void {
  try {
    sink.salvage();
  } catch {
    // The sink failed, too; the first error is reported.
  }
}
