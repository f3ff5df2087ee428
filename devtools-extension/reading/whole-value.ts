import { joined } from '../../worker/bytes/byte-input.ts';
import { DecodeSession } from '../../worker/decode.ts';
import { loadFormat } from '../../worker/formats/loaders.ts';
import type { FormatId } from '../../worker/formats/registry.ts';
import { resolveLimits } from '../../worker/limits.ts';
import { ObjectSink } from '../../worker/sinks/objects/objects.ts';

/** The value of a payload. */
export async function decodeWhole(format: FormatId, bytes: Uint8Array, options: object, schema: unknown): Promise<unknown> {
  const module = await loadFormat(format);
  await module.prepare?.(bytes);
  const sink = new ObjectSink((tag, inner) => module.revive?.(tag, inner));
  const session = new DecodeSession({ id: format, format: module, options, limits: resolveLimits(), schema }, sink);
  session.push(bytes);
  session.end();
  return sink.result;
}

/** A value as a payload. Rejects with an EncodeError. The code that writes is loaded when it is first needed. */
export async function encodeWhole(format: FormatId, value: unknown, options: object, schema: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const { loadWriter } = await import('../../worker/formats/writers.ts');
  const writer = await loadWriter(format, options);
  await writer.prepare?.(options);
  const session = writer.createWriter(options, resolveLimits(), schema).session(format).write(value);
  session.run();
  return joined(session.take());
}
