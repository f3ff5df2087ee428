const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

/** @param {string | number} text */
export function escape(text) {
  return String(text).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

/**
 * One element. Text among the children has to be escaped by the caller; attributes are escaped here, undefined ones left
 * out.
 *
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes
 * @param {...string} children
 */
export function element(name, attributes, ...children) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(typeof value === 'number' ? round(value) : String(value))}"`);
  return `<${name}${written.join('')}>${children.join('')}</${name}>`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
