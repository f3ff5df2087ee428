/** A possible meaning of a value. */
export interface Interpretation {
  name: string;
  value: string;
  /** CSS colour of a swatch. */
  color?: string;
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

export function hexOf(bytes: Uint8Array, between = ''): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(between);
}

/** UUID (RFC 9562, section 4) with its version. */
export function uuidOf(bytes: Uint8Array): Interpretation | undefined {
  if (bytes.length !== 16) return undefined;
  const hex = hexOf(bytes);
  const version = bytes[6]! >> 4;
  const isStandard = bytes[8]! >> 6 === 2 && version >= 1 && version <= 8;
  return {
    name: isStandard ? `UUID, version ${version}` : 'UUID',
    value: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
  };
}

/** IPv6 address (RFC 5952, section 4), with the longest run of two or more zeros omitted. */
export function ipv6Of(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[i * 2]! * 256 + bytes[i * 2 + 1]!).toString(16));
  const text = groups.join(':');
  const zeros = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].toSorted((a, b) => b[0].length - a[0].length)[0];
  return zeros ? `${text.slice(0, zeros.index)}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, '')}` : text;
}
