import { hexOf } from '../../../adapter/bytes.ts';

/** A possible meaning of a value. */
export interface Interpretation {
  name: string;
  value: string;
}

/** Range of plausible dates, in milliseconds. */
const EARLIEST = Date.UTC(1990, 0);
const LATEST = Date.UTC(2100, 0);

const UNITS = [
  ['s', 1_000],
  ['ms', 1],
  ['µs', 1e-3],
  ['ns', 1e-6],
] as const;

/** Dates that a number may denote, by unit. */
export function momentsOf(value: number): Interpretation[] {
  const found = UNITS.filter(([, factor]) => value * factor >= EARLIEST && value * factor < LATEST);
  return found.map(([unit, factor]) => ({ name: `Time, ${unit} since 1970`, value: new Date(value * factor).toISOString() }));
}

/** UUID (RFC 9562, section 4) with its version. */
export function uuidOf(bytes: Uint8Array): Interpretation | undefined {
  if (bytes.length !== 16) return undefined;
  const hex = hexOf(bytes, '');
  const version = bytes[6]! >> 4;
  const isStandard = bytes[8]! >> 6 === 2 && version >= 1 && version <= 8;
  return {
    name: isStandard ? `UUID, version ${version}` : 'UUID',
    value: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
  };
}
