import { DecodeSession, type SessionSetting } from '../../../core/reading/decode.ts';
import type { Revive } from '../../../core/reading/revive.ts';
import { JsonTextSink } from '../../../core/sinks/json/text.ts';
import type { JsonTextOptions } from '../../../core/sinks/json/values.ts';
import { formatRevive } from '../../decoder/revive.ts';
import type { Consumer } from './consumer.ts';
import { decodeInSlices, type SliceOptions } from './slices.ts';

/** Options for writing the text. */
export interface JsonOptions extends JsonTextOptions {
  revive: Revive | undefined;
}

/** Rewrites a payload as JSON text, on this thread. */
export async function writeTextHere(
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
