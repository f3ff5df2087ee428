const BIAS = 6176;
/** Coefficients with more than 34 digits are not valid, and count as zero. */
const TOO_LARGE = 10n ** 34n;

/**
 * The text of the 128-bit decimal at `at`, in the form of MongoDB's Decimal128 specification: plain digits if the
 * exponent is not positive and the number is at least 10⁻⁶, otherwise scientific notation. IEEE 754-2008 with the
 * coefficient as a little-endian binary integer:
 *
 *     sign (1 bit), exponent + 6176 (14 bits), coefficient (113 bits)
 *     sign (1 bit), 11, exponent + 6176 (14 bits), coefficient − 2¹¹³ (111 bits)     always more than 34 digits
 *     sign (1 bit), 11110                                                             Infinity
 *     any (1 bit), 11111                                                              NaN
 */
export function formatDecimal128(view: DataView, at: number): string {
  const high = view.getUint32(at + 12, true);
  const special = (high >>> 26) & 0x1f;
  const sign = high >>> 31 === 1 ? '-' : '';
  if (special === 0x1f) return 'NaN';
  if (special === 0x1e) return `${sign}Infinity`;

  const large = special >> 3 === 3;
  const exponent = ((high >>> (large ? 15 : 17)) & 0x3fff) - BIAS;
  let coefficient = 0n;
  if (!large) {
    const top = view.getBigUint64(at + 8, true) & 0x1_ffff_ffff_ffffn;
    coefficient = (top << 64n) | view.getBigUint64(at, true);
    if (coefficient >= TOO_LARGE) coefficient = 0n;
  }

  const digits = coefficient.toString();
  const scientific = digits.length - 1 + exponent;
  if (exponent > 0 || scientific < -6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]!}${fraction}E${scientific > 0 ? '+' : ''}${scientific}`;
  }
  if (exponent === 0) return sign + digits;
  const point = digits.length + exponent;
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}

/** Limits on the digits of a coefficient, and on exponents. */
const MAX_DIGITS = 34;
const MAX_EXPONENT = 6111;
const MIN_EXPONENT = -6176;
const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;

/**
 * Encodes a decimal number in the 16 bytes that `formatDecimal128` reads. Undefined if the text is not a number, or is
 * not exactly representable.
 */
export function parseDecimal128(text: string): Uint8Array<ArrayBuffer> | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) return pack(special[1] === '-', special[2] === undefined ? 0x7c00n : 0x7800n, true);
  const parts = DECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = parts[4] ?? '', , power = '0'] = parts;
  let digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  let exponent = Number(power) - fraction.length;
  // Trailing zeros are dropped if there are too many digits, or if the exponent is too small.
  while (digits.length > 1 && digits.endsWith('0') && (digits.length > MAX_DIGITS || exponent < MIN_EXPONENT)) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  const isZero = /^0*$/.test(digits);
  if (isZero) exponent = Math.min(Math.max(exponent, MIN_EXPONENT), MAX_EXPONENT);
  else if (exponent > MAX_EXPONENT && digits.length + exponent - MAX_EXPONENT <= MAX_DIGITS) {
    digits += '0'.repeat(exponent - MAX_EXPONENT);
    exponent = MAX_EXPONENT;
  }
  if (digits.length > MAX_DIGITS || exponent > MAX_EXPONENT || exponent < MIN_EXPONENT) return undefined;
  return pack(sign === '-', (BigInt(exponent + BIAS) << 113n) | BigInt(digits), false);
}

/** Packs a decimal. `value` are the bits below the sign, or the highest 16 of them if the number is `special`. */
function pack(isNegative: boolean, value: bigint, isSpecial: boolean): Uint8Array<ArrayBuffer> {
  const all = (isSpecial ? value << 112n : value) | (isNegative ? 1n << 127n : 0n);
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, BigInt.asUintN(64, all), true);
  view.setBigUint64(8, all >> 64n, true);
  return new Uint8Array(view.buffer);
}
