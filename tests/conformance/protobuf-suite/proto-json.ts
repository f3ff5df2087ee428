import { encodeSync } from '../../../main/sync.ts';
import json from '../../../core/formats/json/writer.ts';

/** Converts a message, read with the names, enums and well-known types of the JSON mapping, to JSON. */
export function protoJson(value: unknown): string {
  return new TextDecoder().decode(encodeSync(json, mapped(value), { options: { bytes: 'base64' } }));
}

/** Converts values that JSON lacks: non-finite numbers and Dates. */
function mapped(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item)]));
}
