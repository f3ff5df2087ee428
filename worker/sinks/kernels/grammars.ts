import type { RowGrammar } from '../../events/offers.ts';

const encoder = new TextEncoder();

/** What a kernel compares a key with: JSON's is in the form that comes most, others as their bytes. */
export function keyBytes(grammar: RowGrammar, key: string): Uint8Array {
  return encoder.encode(grammar === 'json' ? JSON.stringify(key) : key);
}
