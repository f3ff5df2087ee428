// The texts by which the JSON mapping gives numbers and well-known types (https://protobuf.dev/programming-guides/json).

/** Seconds of the years 1 and 9999, the range of a Timestamp, and of a Duration: about 10,000 years. */
const MIN_TIMESTAMP = -62_135_596_800;
const MAX_TIMESTAMP = 253_402_300_799;
const MAX_DURATION = 315_576_000_000;

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
const DURATION = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;
/** A number as in JSON (RFC 8259 section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const INTEGER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Digits of the longest 64-bit integer. */
const MAX_DIGITS = 20;

/** Whole seconds and nanoseconds, of a point in time or a duration. */
export interface Seconds {
  readonly seconds: number;
  readonly nanos: number;
}

/** The point in time of an RFC 3339 text; undefined for other texts, and out of range. */
export function timestampOf(text: string): Seconds | undefined {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = TIMESTAMP.exec(text) ?? [];
  if (local === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const time = Date.parse(`${local}Z`);
  // Engines take some dates that do not exist, such as the 30th of February.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 19) !== local) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  const seconds = time / 1000 - offset;
  return seconds >= MIN_TIMESTAMP && seconds <= MAX_TIMESTAMP ? { seconds, nanos: nanosOf(fraction) } : undefined;
}

/** The RFC 3339 text of a point in time; undefined if it is out of range. */
export function timestampText({ seconds, nanos }: Seconds): string | undefined {
  if (!(seconds >= MIN_TIMESTAMP && seconds <= MAX_TIMESTAMP && nanos >= 0 && nanos < 1e9)) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fractionOf(nanos)}Z`;
}

/** The duration of a text such as `1.5s`; undefined for other texts, and out of range. */
export function durationOf(text: string): Seconds | undefined {
  const [, sign, digits, fraction = ''] = DURATION.exec(text) ?? [];
  const seconds = Number(digits);
  if (digits === undefined || seconds > MAX_DURATION) return undefined;
  // Adding 0 avoids −0.
  const factor = sign === '-' ? -1 : 1;
  return { seconds: factor * seconds + 0, nanos: factor * nanosOf(fraction) + 0 };
}

/** The text of a duration; undefined if it is out of range, or its parts have different signs. */
export function durationText({ seconds, nanos }: Seconds): string | undefined {
  if (!(Math.abs(seconds) <= MAX_DURATION && Math.abs(nanos) < 1e9) || seconds * nanos < 0) return undefined;
  return `${seconds < 0 || nanos < 0 ? '-' : ''}${Math.abs(seconds)}${fractionOf(Math.abs(nanos))}s`;
}

function nanosOf(fraction: string): number {
  return Number(fraction.padEnd(9, '0'));
}

/** A fraction of a second with 0, 3, 6 or 9 digits. */
function fractionOf(nanos: number): string {
  return nanos === 0
    ? ''
    : `.${String(nanos)
        .padStart(9, '0')
        .replace(/(?:000){1,2}$/, '')}`;
}

/** The paths of a FieldMask's text, in snake case; undefined if one is not in lower camel case. */
export function pathsOf(text: string): string[] | undefined {
  if (text === '') return [];
  const paths = text.split(',');
  if (!paths.every((path) => /^[A-Za-z0-9.]+$/.test(path))) return undefined;
  return paths.map((path) => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The text of a FieldMask's paths; undefined if one would not come back the same. */
export function pathsText(paths: readonly string[]): string | undefined {
  if (!paths.every((path) => /^(?:[a-z0-9.]|_[a-z])+$/.test(path))) return undefined;
  return paths.map((path) => path.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())).join();
}

/** The number of a text in JSON's form, or `NaN`, `Infinity` or `-Infinity`; undefined for others. */
export function numberOf(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  return text === 'NaN' || text === 'Infinity' || text === '-Infinity' ? Number(text) : undefined;
}

/** The integer of a text of digits without an exponent, if a number holds it exactly; undefined for other texts. */
export function shortIntegerOf(text: string): number | undefined {
  return text.length < 16 && /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}

/** The integer of a text in the form of a number of JSON; undefined if it has a fraction or too many digits. */
export function integerOf(text: string): bigint | undefined {
  // Short texts of digits are the usual ones.
  if (text.length <= MAX_DIGITS && /^-?[1-9]\d*$/.test(text)) return BigInt(text);
  if (text.length > 1000) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = INTEGER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const shift = Number(exponent) - fraction.length;
  const kept = shift < 0 ? digits.slice(0, shift) : digits;
  if (shift < 0 && /[^0]/.test(digits.slice(shift))) return undefined;
  if (digits === '' || kept === '') return 0n;
  if (kept.length + Math.max(shift, 0) > MAX_DIGITS) return undefined;
  return BigInt(`${sign === '-' ? '-' : ''}${kept}${'0'.repeat(Math.max(shift, 0))}`);
}

/** True if UTF-8 cannot represent the text. */
export function hasLoneSurrogate(text: string): boolean {
  // Few texts have a surrogate at all. The second pattern does not match pairs.
  return /[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text);
}
