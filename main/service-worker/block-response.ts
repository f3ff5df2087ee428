import { serialiseBlock } from '../../worker/block-file.ts';
import { DecodeSession, type SessionSetting } from '../../worker/decode.ts';
import { ColumnSink } from '../../worker/sinks/columns.ts';
import { decodeInSlices, type SliceOptions } from './slices.ts';

/** Where parts go. May return a promise to wait for. */
export type TakePart = (part: ArrayBuffer) => Promise<void> | undefined;

/** Decodes a body into the parts of a block. */
export type DecodeParts = (take: TakePart) => Promise<void>;

/** Which list's items leave in batches. */
export interface ListBatches {
  path: readonly string[];
  rows: number | undefined;
}

/** Decodes a body on this thread into the parts of a block, which go out as they are full. */
export async function decodeHere(
  body: ReadableStream<Uint8Array>,
  setting: SessionSetting,
  options: SliceOptions,
  batches: ListBatches | undefined,
  take: TakePart,
): Promise<void> {
  const parts: ArrayBuffer[] = [];
  const sink = new ColumnSink((part) => parts.push(part), setting.limits);
  if (batches) sink.batch(batches.path, batches.rows);
  const sent = async (): Promise<void> => {
    if (batches && batches.rows === undefined) sink.cut();
    for (let part = parts.shift(); part; part = parts.shift()) await take(part);
  };
  await decodeInSlices(body, new DecodeSession(setting, sink), { ...options, sent });
  sink.finish();
  for (let part = parts.shift(); part; part = parts.shift()) await take(part);
}

/** The serialised block of a payload. */
export async function writeBlock(decode: DecodeParts): Promise<ArrayBuffer> {
  const parts: ArrayBuffer[] = [];
  await decode((part) => {
    parts.push(part);
    return undefined;
  });
  return serialiseBlock(parts);
}
