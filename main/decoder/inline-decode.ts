import { DecodeSession, type SessionSetting } from '../../worker/decode.ts';
import type { AnyFormat } from '../../worker/formats/format.ts';
import type { Revive } from '../../worker/revive.ts';
import { ObjectSink, shapeOf } from '../../worker/sinks/objects.ts';
import { Specimens } from '../../worker/specimens.ts';
import { formatRevive } from './revive.ts';

const specimens = new Specimens<AnyFormat>();

/** Decodes a payload in place into plain objects. Loaded with the first small payload that needs a reader. */
export function decodeObjects(setting: SessionSetting, bytes: Uint8Array, revive: Revive | undefined): unknown {
  const { format, options, limits, schema } = setting;
  const plain = format.decodePlain?.(bytes, options, limits, schema, shapeOf);
  if (plain !== undefined) return plain;
  const sink = new ObjectSink(formatRevive(setting.format, revive));
  const session = new DecodeSession(setting, sink);
  session.end(bytes);
  specimens.keep(setting.format, () => new DecodeSession(setting, new ObjectSink()));
  return sink.result;
}

/** Decodes a payload in place into the parts of a block, for results that are not plain objects. */
export async function decodeParts(setting: SessionSetting, bytes: Uint8Array): Promise<ArrayBuffer[]> {
  const { ColumnSink } = await import('../../worker/sinks/columns.ts');
  const parts: ArrayBuffer[] = [];
  const sink = new ColumnSink((part) => parts.push(part), setting.limits);
  const session = new DecodeSession(setting, sink);
  session.end(bytes);
  sink.finish();
  return parts;
}
