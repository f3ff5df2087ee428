import type { OptionKind } from './option-table.ts';

// Kinds of values that options of formats take, where the values cannot be listed. Null stands for the default.

export const LIST = kind('an array', Array.isArray);
export const FUNCTION = kind('a function', isOf('function'));
export const FLAG_OR_FUNCTION = kind('true, false or a function', (value) => typeof value === 'boolean' || typeof value === 'function');
export const COUNT = kind('a number from 0 on', (value) => typeof value === 'number' && value >= 0);
export const TEXT = kind('a string', isOf('string'));
export const OBJECT = kind('an object', isOf('object'));

function kind(text: string, test: (value: unknown) => boolean): OptionKind {
  return (name, value) => {
    if (value !== undefined && value !== null && !test(value))
      throw new TypeError(`invalid format option ${name}: ${String(value)}; expected ${text}`);
  };
}

function isOf(type: string): (value: unknown) => boolean {
  return (value) => typeof value === type;
}
