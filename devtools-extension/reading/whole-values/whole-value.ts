import { joined } from '../../../core/bytes/byte-input.ts';
import { DecodeSession } from '../../../core/format/decode-session.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { SharedExpansion } from '../../../core/sinks/shared-expansion.ts';

/** Decodes a payload to a value. Rejects with a LimitError if shared values expand to too large a tree. */
export async function decodeWhole(format: FormatId, bytes: Uint8Array, options: object, schema: unknown): Promise<unknown> {
  const module = await loadFormat(format);
  await module.prepare?.(bytes);
  const sink = new ObjectSink((tag, inner) => module.revive?.(tag, inner));
  const limits = resolveLimits();
  const session = new DecodeSession({ id: format, format: module, options, limits, schema }, sink);
  session.push(bytes);
  session.end();
  if (sink.anchored !== undefined) {
    const expansion = new SharedExpansion(limits, format);
    expansion.receive(bytes.length);
    expansion.count(sink.result);
  }
  return sink.result;
}

/** Encodes a value. Rejects with an EncodeError. Loads the writer on first use. */
export async function encodeWhole(format: FormatId, value: unknown, options: object, schema: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const { loadWriter } = await import('../../../core/formats/writers.ts');
  const writer = await loadWriter(format, options);
  await writer.prepare?.(options);
  // Skips keys missing from the schema; they are reported as losses.
  const session = writer
    .createWriter({ extraKeys: 'skip', ...options }, resolveLimits(), schema)
    .session(format)
    .write(value);
  session.run();
  return joined(session.take());
}

/** Maximum number of values with all references expanded; equals the limit of a tree. */
const MAX_VALUES = 12_000_000;

/**
 * Throws if a value contains itself, or has too many values once references are expanded. A few bytes of references may
 * expand beyond any memory, and inferred schemas and other forms need a tree.
 */
export function checkReferences(value: unknown): void {
  /** Number of values in each container; 0 while it is being counted. */
  const counts = new Map<object, number>();
  const count = (item: unknown): number => {
    if (typeof item !== 'object' || item === null || ArrayBuffer.isView(item)) return 1;
    const known = counts.get(item);
    if (known === 0) throw new Error('The value contains itself.');
    if (known !== undefined) return known;
    counts.set(item, 0);
    let sum = 1;
    if (item instanceof Map) for (const [key, inner] of item) sum += count(key) + count(inner);
    else if (item instanceof Set) for (const inner of item) sum += count(inner);
    else for (const key of Object.keys(item)) sum += count((item as Record<string, unknown>)[key]);
    counts.set(item, sum);
    return sum;
  };
  if (count(value) > MAX_VALUES) throw new Error('The value is too large once its references are expanded.');
}
