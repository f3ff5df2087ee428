import { toBase64 } from '../../adapter/bytes.ts';

/** Decoded value as indented JSON, with bytes as base64 and big integers as digits. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, item: unknown) =>
      typeof item === 'bigint' ? String(item) : item instanceof Uint8Array ? toBase64(item) : item instanceof Map ? Object.fromEntries(item) : item,
    2,
  );
}
