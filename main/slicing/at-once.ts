import { DecodeSession, type SessionSetting } from '../../core/reading/decode.ts';
import type { AnyFormat } from '../../core/formats/format.ts';
import type { Revive } from '../../core/reading/revive.ts';
import { ObjectSink, shapeOf } from '../../core/sinks/objects/objects.ts';
import { KeepAlive } from '../../core/keep-alive.ts';
import { formatRevive } from '../decoder/revive.ts';

const keepAlive = new KeepAlive<AnyFormat>();

/** Decodes a small payload into plain objects in one go, with the format's reader. */
export function decodeAtOnce(setting: SessionSetting, bytes: Uint8Array, revive: Revive | undefined): unknown {
  const { format, options, limits, schema } = setting;
  const plain = format.decodePlain?.(bytes, options, limits, schema, shapeOf);
  if (plain !== undefined) return plain;
  const sink = new ObjectSink(formatRevive(setting.format, revive));
  const session = new DecodeSession(setting, sink);
  session.end(bytes);
  keepAlive.keep(setting.format, () => new DecodeSession(setting, new ObjectSink()));
  return sink.result;
}
