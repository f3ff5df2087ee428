import { Packr } from 'msgpackr/index-no-eval';
import { Sia } from 'sializer';
import { isRecord } from './shape.ts';

/** The package's buffer does not grow. Sia takes at most so much more than MessagePack, for a list of small integers or short keys. */
const AT_MOST = 4;

/**
 * A value as the package `sializer` writes it. It knows bytes by the global Buffer alone, which is there meanwhile.
 */
export function encodeSia(value: unknown): Uint8Array {
  const global = globalThis as { Buffer?: unknown };
  const before = Object.getOwnPropertyDescriptor(global, 'Buffer');
  const writer = new Sia({ size: new Packr({ useRecords: false }).pack(value).length * AT_MOST + 65_536 });
  const own = writer.buffer.constructor as unknown as { from(bytes: Uint8Array): Uint8Array };
  Object.defineProperty(global, 'Buffer', { value: own, configurable: true, writable: true });
  try {
    return Uint8Array.from(writer.serialize(withBuffers(value, own)));
  } finally {
    if (before) Object.defineProperty(global, 'Buffer', before);
    else delete global.Buffer;
  }
}

function withBuffers(value: unknown, own: { from(bytes: Uint8Array): Uint8Array }): unknown {
  if (typeof value === 'bigint') throw new Error('it writes no bigint');
  if (value instanceof Uint8Array) return own.from(value);
  if (value instanceof ArrayBuffer) return own.from(new Uint8Array(value));
  if (Array.isArray(value)) return value.map((item) => withBuffers(item, own));
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBuffers(item, own)])) : value;
}
