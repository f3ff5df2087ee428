import { DecodeSession, type SessionSetting } from '../../worker/decode.ts';
import type { Revive } from '../../worker/revive.ts';
import { JsonTextSink } from '../../worker/sinks/json-text.ts';
import type { JsonTextOptions } from '../../worker/sinks/json-values.ts';
import { formatRevive } from '../revive.ts';
import { Outflow } from './outflow.ts';
import { decodeInSlices, type SliceOptions } from './slices.ts';

/** How the text is written. */
export interface JsonOptions extends JsonTextOptions {
  revive: Revive | undefined;
}

/**
 * Writes a payload anew as JSON text. Resolves to its body when all of it is there, or, where it is long, when its
 * beginning is: what goes wrong afterwards breaks the body off. `done` is told when the decode has ended.
 */
export function writeJson(
  body: ReadableStream<Uint8Array>,
  setting: SessionSetting,
  options: SliceOptions,
  { revive, ...text }: JsonOptions,
  done: (ended: Promise<void>) => void,
): Promise<BodyInit> {
  const sink = new JsonTextSink(formatRevive(setting.format, revive), text);
  const flow = new Outflow();
  const sent = (): Promise<void> | undefined => {
    const chunk = sink.take();
    return chunk && flow.write(chunk);
  };
  const run = async (): Promise<void> => {
    try {
      await decodeInSlices(body, new DecodeSession(setting, sink), { ...options, sent });
      await sent();
      await flow.end();
    } catch (error) {
      flow.fail(error);
    }
  };
  done(run());
  return flow.body;
}
