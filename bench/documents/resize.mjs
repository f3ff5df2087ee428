// Resizes a document: drops items of its longest list, or repeats them with other numbers and strings.
import { mix32 } from '../../demo/server/data/random.mjs';

/**
 * @typedef {object} Resized
 * @property {any} value
 * @property {(string | number)[]} path of the resized list or dictionary
 */

/** Dictionaries have at least this number of properties, none of which holds more than a share of the bytes. */
const DICTIONARY_KEYS = 20;
const DICTIONARY_SHARE = 0.2;
/** Strings that occur at least this often are kept: they are enumerators. */
const COMMON = 3;

/**
 * @param {any} value
 * @returns {(bytes: number) => Resized} returns the value with about `bytes` bytes of JSON
 */
export function resizer(value) {
  const path = longestList(value);
  const kept = commonTexts(value);
  // Through JSON, in which engines write -0 as 0.
  return (bytes) => JSON.parse(JSON.stringify(resize(value, path, bytes, kept)));
}

/**
 * Finds the list or dictionary that makes up most of a value: the first one reached by following the
 * longest child of each object.
 *
 * @param {any} value
 * @returns {(string | number)[]}
 * @throws {RangeError} if the value has no list
 */
export function longestList(value) {
  /** @type {(string | number)[]} */
  const path = [];
  for (let node = value; ;) {
    if (node === null || typeof node !== 'object') throw new RangeError('The document has no list.');
    if (Array.isArray(node)) return path;
    const sizes = Object.entries(node).map(([key, child]) => ({ key, size: JSON.stringify(child).length }));
    const longest = sizes.reduce((most, one) => (one.size > most.size ? one : most), { key: '', size: 0 });
    const sum = sizes.reduce((total, { size }) => total + size, 0);
    if (sizes.length >= DICTIONARY_KEYS && longest.size < sum * DICTIONARY_SHARE) return path;
    path.push(longest.key);
    node = node[longest.key];
  }
}

/**
 * @param {any} value not modified
 * @param {(string | number)[]} path of the list or dictionary
 * @param {number} bytes
 * @param {ReadonlySet<string>} kept strings that copies keep
 * @returns {Resized}
 */
export function resize(value, path, bytes, kept) {
  const list = path.reduce((node, key) => node[key], value);
  const entries = Object.entries(list);
  const lengths = entries.map(([, item]) => JSON.stringify(item).length + 1);
  const around = JSON.stringify(value).length - lengths.reduce((sum, length) => sum + length, 0);
  const wanted = Math.max(0, bytes - around);
  /** @type {[string, unknown][]} */
  const made = [];
  for (let size = 0, index = 0; size < wanted || made.length === 0; index += 1) {
    const [key, item] = entries[index % entries.length];
    const copy = Math.floor(index / entries.length);
    made.push(copy === 0 ? [key, item] : [copyKey(key, copy), changed(item, copy, kept)]);
    size += lengths[index % entries.length];
  }
  const longer = Array.isArray(list) ? made.map(([, item]) => item) : Object.fromEntries(made);
  return { value: replaced(value, path, longer), path };
}

/**
 * The key of a dictionary's item in a copy.
 *
 * @param {string} key
 * @param {number} copy
 */
function copyKey(key, copy) {
  return /^\d{1,9}$/.test(key) ? String(copy * 1_000_000_000 + Number(key)) : `${key}-${copy}`;
}

/**
 * @param {any} value
 * @param {readonly (string | number)[]} path
 * @param {unknown} end
 * @returns {any}
 */
function replaced(value, [key, ...rest], end) {
  return key === undefined ? end : { ...value, [key]: replaced(value[key], rest, end) };
}

/**
 * Strings that occur several times in a value.
 *
 * @param {unknown} value
 * @returns {Set<string>}
 */
function commonTexts(value) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @param {unknown} node */
  const count = (node) => {
    if (typeof node === 'string') counts.set(node, (counts.get(node) ?? 0) + 1);
    else if (node !== null && typeof node === 'object') for (const child of Object.values(node)) count(child);
  };
  count(value);
  return new Set([...counts].filter(([, times]) => times >= COMMON).map(([text]) => text));
}

/**
 * The same shape with other numbers and texts, which take as many characters, or nearly.
 *
 * @param {any} value
 * @param {number} copy
 * @param {ReadonlySet<string>} kept
 * @returns {any}
 */
export function changed(value, copy, kept) {
  let place = 0;
  /** @param {any} node @returns {any} */
  const change = (node) => {
    if (typeof node === 'number') return otherNumber(node, mix32(copy * 0x9e3779b1 + ++place));
    if (typeof node === 'string') return kept.has(node) ? node : otherText(node, mix32(copy * 0x9e3779b1 + ++place));
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(change);
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, change(child)]));
  };
  return change(value);
}

/**
 * Replaces the last digits. Keeps numbers below 10, which are counts or enumerators.
 *
 * @param {number} value
 * @param {number} bits
 */
function otherNumber(value, bits) {
  const text = String(value);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || text.includes('e') || text.length < 2) return value;
  if (Number.isInteger(value) && Math.abs(value) < 10) return value;
  const digits = /\d\d$/.test(text) ? String((bits >>> 8) % 10) : '';
  // A different digit other than zero, which would shorten a fraction.
  const last = 1 + ((Number(text.at(-1)) + (bits % 8)) % 9);
  return Number(text.slice(0, -1 - digits.length) + digits + String(last));
}

/**
 * Replaces one letter or digit in eight.
 *
 * @param {string} value
 * @param {number} bits
 */
function otherText(value, bits) {
  let index = 0;
  return value.replaceAll(/[a-z\d]/gi, (character) => {
    index += 1;
    if ((index + bits) % 8 !== 0) return character;
    const first = character >= 'a' ? 97 : character >= 'A' ? 65 : 48;
    const letters = first === 48 ? 10 : 26;
    return String.fromCharCode(first + ((character.charCodeAt(0) - first + 1 + ((bits >>> 8) % (letters - 1))) % letters));
  });
}
