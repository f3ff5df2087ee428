import { GREATEST_POWER, LEAST_POWER } from './assembly/layout.ts';

const BITS = 128n;

/**
 * Writes the powers of ten for numbers with many digits: the highest 128 bits of each, rounded down, or rounded up for
 * powers below one.
 */
export function fillPowers(memory: DataView, address: number): void {
  for (let power = LEAST_POWER; power <= GREATEST_POWER; power++) {
    const bits = power >= 0 ? highBits(10n ** BigInt(power)) : highBitsOfInverse(10n ** BigInt(-power));
    const at = address + 16 * (power - LEAST_POWER);
    memory.setBigUint64(at, bits >> 64n, true);
    memory.setBigUint64(at + 8, BigInt.asUintN(64, bits), true);
  }
}

function length(value: bigint): bigint {
  return BigInt(value.toString(2).length);
}

function highBits(value: bigint): bigint {
  const bits = length(value);
  return bits <= BITS ? value << (BITS - bits) : value >> (bits - BITS);
}

function highBitsOfInverse(value: bigint): bigint {
  const bits = (1n << (length(value) + BITS - 1n)) / value + 1n;
  return bits >> BITS ? bits >> 1n : bits;
}
