import { DecodeSession, type SessionSetting } from '../../worker/decode.ts';
import type { Revive } from '../../worker/events/revive.ts';
import { JsonTextSink } from '../../worker/sinks/json/text.ts';
import type { JsonTextOptions } from '../../worker/sinks/json/values.ts';
import { formatRevive } from '../decoder/revive.ts';
import { Outflow } from './outflow.ts';
import type { Decode, Outlet } from './outlet.ts';
import { decodeInSlices, type SliceOptions } from './slices.ts';

/** How the text is written. */
export interface JsonOptions extends JsonTextOptions {
  revive: Revive | undefined;
}

/** Writes a payload anew, on this thread, as JSON text. */
export async function writeTextHere(
  body: ReadableStream<Uint8Array>,
  setting: SessionSetting,
  options: SliceOptions,
  { revive, ...text }: JsonOptions,
  outlet: Outlet,
): Promise<void> {
  const sink = new JsonTextSink(formatRevive(setting.format, revive), text);
  const sent = (): Promise<void> | undefined => {
    const piece = sink.take();
    return piece && outlet.take(piece.buffer);
  };
  await decodeInSlices(body, new DecodeSession(setting, sink), { ...options, sent });
  await sent();
}

/**
 * JSON text as a body. Resolves when all of it is there, or, where it is long, when its beginning is: what goes wrong
 * afterwards breaks the body off. `done` is told when the decode has ended.
 */
export function streamText(decode: Decode, done: (ended: Promise<void>) => void): Promise<BodyInit> {
  const flow = new Outflow();
  const run = async (): Promise<void> => {
    try {
      await decode(flow);
      await flow.end();
    } catch (error) {
      flow.fail(error);
    }
  };
  done(run());
  return flow.body;
}
