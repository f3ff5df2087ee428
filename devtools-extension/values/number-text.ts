import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';

/** A number whose digits a double cannot hold, as written in the body. `stringify` writes it unchanged. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Digits that every double keeps. */
const SAFE_DIGITS = 15;

/**
 * Text of a number: in JSON as the body has it, because a double would round large integers, long fractions and large
 * exponents. At most `most` characters.
 */
export function numberText(tree: SpanTree, node: number, most = Infinity): string {
  const { data, bytes } = tree;
  const number = data.numbers[node]!;
  if (data.kinds[node] === is.BIGINT) return String(data.storedValues.get(node));
  const end = data.ends[node]!;
  const from = data.values[node]!;
  if (data.format !== 'json' || data.shell?.has(node) || end === from) return Object.is(number, -0) ? '-0' : String(number);
  return String.fromCharCode(...bytes.subarray(from, Math.min(end, from + Math.min(most, MAX_TEXT))));
}

/** Length of the longest number read from the body. */
const MAX_TEXT = 10_000;

/** Text of a number for comparing: equal for equal numbers, whatever their notation. */
export function numberKey(tree: SpanTree, node: number): string {
  const number = tree.data.numbers[node]!;
  const isBig = tree.data.kinds[node] === is.BIGINT;
  if (!isBig && tree.data.format !== 'json') return number === 0 ? '0' : decimalOf(String(number));
  const text = numberText(tree, node);
  return !isBig && text.length <= SAFE_DIGITS && Number.isFinite(number) && number !== 0 ? decimalOf(String(number)) : decimalOf(text);
}

/** A decimal number as its digits without zeros at either end, and its exponent; other texts unchanged. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const digits = (whole + fraction).replace(/^0+/, '');
  const plain = withoutZeros(digits);
  if (plain === '') return '0';
  return `${sign}${plain}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - plain.length)}`;
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
