/** States: the token expected next. `read` compares the numbers, so their order matters. */
export const KEY = 0;
export const FIRST_KEY = 1;
export const BEFORE_COLON = 2;
export const VALUE = 3;
export const FIRST_ITEM = 4;
/** In a sequence, before a value at the top level. */
export const BETWEEN = 5;
export const AFTER_VALUE = 6;
export const WHOLE = 7;
/** In a sequence, after a number, string, true, false or null. */
export const AFTER_SCALAR = 8;

export const EXPECTED: Readonly<Record<number, string>> = {
  [KEY]: 'a key in double quotes',
  [FIRST_KEY]: "a key in double quotes or '}'",
  [BEFORE_COLON]: "':' after a key",
  [VALUE]: 'a value',
  [FIRST_ITEM]: "a value or ']'",
  [BETWEEN]: 'a value',
  [WHOLE]: 'the end of the input after the value',
  [AFTER_SCALAR]: 'white space between two values',
};
