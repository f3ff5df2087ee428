// The functions of Node's `util` that avsc uses.

/**
 * @param {Function} constructor
 * @param {Function} parent
 */
export function inherits(constructor, parent) {
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

/**
 * @param {string} format
 * @param {...unknown} values
 */
export function format(format, ...values) {
  return String(format).replace(/%[sdj]/g, () => String(values.shift()));
}

/** @param {unknown} value */
export const inspect = (value) => String(value);
export const promisify = () => undefined;
export const debuglog = () => () => undefined;
