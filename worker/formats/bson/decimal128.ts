const BIAS = 6176;
/** More than 34 digits, which no valid coefficient has: it then counts as zero. */
const TOO_LARGE = 10n ** 34n;

/**
 * The text of the 128-bit decimal at `at`, in the form that the Decimal128 specification of MongoDB gives: plain digits
 * where the exponent is not positive and the number not below 10⁻⁶, scientific elsewhere. IEEE 754-2008 with the
 * coefficient as a binary integer, the lowest byte first:
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
