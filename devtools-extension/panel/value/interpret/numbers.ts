import { type Interpretation, momentsOf } from './interpretation.ts';

const view = new DataView(new ArrayBuffer(8));

/** Interpretations of an integer: number bases, zigzag, float bits, dates. */
export function interpretInteger(value: bigint): Interpretation[] {
  const found: Interpretation[] = [];
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? '-' : '';
  found.push({ name: 'Hexadecimal', value: `${sign}0x${size.toString(16)}` }, { name: 'Binary', value: `${sign}0b${size.toString(2)}` });
  if (value < 0n) {
    const bits = value >= -(2n ** 31n) ? 32 : 64;
    found.push({ name: `Unsigned, ${bits} bits`, value: String(BigInt.asUintN(bits, value)) });
  } else {
    found.push({ name: 'Zigzag decoded', value: String((value >> 1n) ^ -(value & 1n)) });
    if (value >= 2n ** 31n && value < 2n ** 32n) found.push({ name: 'Signed, 32 bits', value: String(BigInt.asIntN(32, value)) });
    if (value >= 2n ** 63n && value < 2n ** 64n) found.push({ name: 'Signed, 64 bits', value: String(BigInt.asIntN(64, value)) });
  }
  if (value > 0n && value < 2n ** 32n) {
    view.setUint32(0, Number(value));
    found.push({ name: 'As bits of a 32-bit float', value: String(view.getFloat32(0)) });
  }
  if (value > 0n && value < 2n ** 64n) {
    view.setBigUint64(0, value);
    found.push({ name: 'As bits of a 64-bit float', value: String(view.getFloat64(0)) });
  }
  found.push(...momentsOf(Number(value)));
  return found;
}

/** Interpretations of a float: its bits, its 32-bit value, dates. */
export function interpretFloat(value: number): Interpretation[] {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0).toString(16).padStart(16, '0');
  const single = Math.fround(value);
  return [
    { name: 'Bits, 64', value: `0x${bits}` },
    { name: 'As a 32-bit float', value: Object.is(single, value) ? 'exact' : String(single) },
    ...momentsOf(value),
  ];
}

export function interpretDate(milliseconds: number): Interpretation[] {
  if (Number.isNaN(milliseconds) || Math.abs(milliseconds) > 8.64e15) return [];
  const date = new Date(milliseconds);
  return [
    { name: 'UTC', value: date.toISOString() },
    { name: 'Local time', value: date.toString() },
    { name: 's since 1970', value: String(milliseconds / 1000) },
    { name: 'ms since 1970', value: String(milliseconds) },
  ];
}
