import { stepsText } from '../../values/value-text.ts';
import type { Exported } from '../../values/value.ts';

/** Maximum number of reported losses. */
const MAX = 5;

/**
 * Paths of values that a writer omitted or changed, with the outcome: keys missing from a schema, rounded numbers.
 * Additions such as defaults are no loss.
 */
export function losses(wanted: Exported, got: Exported): string[] {
  const found: string[] = [];
  compare(wanted, got, [], found);
  return found;
}

function compare(wanted: Exported, got: Exported | undefined, path: readonly (string | number)[], found: string[]): void {
  if (found.length >= MAX) return;
  if (got === undefined) {
    found.push(`${stepsText(path)} is left out`);
  } else if (Array.isArray(wanted) && Array.isArray(got)) {
    for (const [index, item] of wanted.entries()) compare(item, got[index], [...path, index], found);
  } else if (isObject(wanted) && isObject(got)) {
    for (const [key, item] of Object.entries(wanted)) compare(item, Object.hasOwn(got, key) ? got[key] : undefined, [...path, key], found);
  } else if (wanted !== got) {
    found.push(`${stepsText(path)} becomes ${shortText(got)}`);
  }
}

function isObject(value: Exported): value is { [key: string]: Exported } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortText(value: Exported): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
