// Numbers, strings and keys at the boundaries of encodings.

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {import('./mixed.mjs').MixedFeatures} MixedFeatures */

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789';
const FRAGMENTS = [
  'é',
  'ñ',
  'ß',
  'Ω',
  'ж',
  'א',
  'ع',
  '中',
  '語',
  '한',
  '\u0301',
  '\u200d',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '😀',
  '🚲',
  '👩‍👩‍👧',
  '𝒳',
  '\u{10ffff}',
  '"',
  '\\',
  '/',
  '\b',
  '\f',
  '\n',
  '\r',
  '\t',
  '\0',
  '\u001f',
  '\u007f',
];
const LONE_SURROGATES = ['\ud800', '\udbff', '\udc00', '\udfff', '\udc00\ud800'];

/** String lengths at which the header changes in some format. */
const EDGE_LENGTHS = [0, 1, 15, 16, 23, 24, 31, 32, 127, 128, 255, 256];

/** Keys that have a meaning in JavaScript, are empty, or sort differently as properties. */
const AWKWARD_KEYS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'then',
  'name',
  '0',
  '1',
  '10',
  '4294967294',
  '4294967295',
  '-1',
  '01',
  '1.5',
  'a.b',
  '$',
  '_',
  'key\n',
  'ключ',
  '🔑',
  '"quoted"',
];
const PLAIN_KEYS = ['id', 'type', 'title', 'tags', 'items', 'count', 'value', 'created_at', 'geometry', 'coordinates', 'properties', 'x', 'y'];

/**
 * @param {Random} random
 * @param {MixedFeatures} features
 * @returns {number}
 */
export function mixedNumber(random, features) {
  switch (random.below(12)) {
    case 0:
    case 1:
      return random.below(128);
    case 2:
      return -random.below(40) - 1;
    case 3:
    case 4:
      return edgeInteger(random);
    case 5:
    case 6:
      return random.unit() * 360 - 180;
    case 7:
      return Math.round(random.unit() * 1e6) / 100;
    case 8:
      return (random.unit() + 0.1) * 10 ** (random.below(600) - 300);
    case 9:
      return random.pick([5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, -1.5, Math.fround(1.1)]);
    case 10:
      if (features.negativeZero) return -0;
      return 0;
    default:
      if (features.nonFinite) return random.pick([Number.NaN, Infinity, -Infinity]);
      return random.bits();
  }
}

/**
 * An integer within one of a power of two, up to the largest safe integer.
 *
 * @param {Random} random
 */
function edgeInteger(random) {
  const integer = 2 ** random.below(53) + random.below(3) - 1;
  return random.chance(0.5) || integer === 0 ? integer : -integer;
}

/**
 * @param {Random} random
 * @param {MixedFeatures} features
 * @returns {string}
 */
export function mixedString(random, features) {
  switch (random.below(8)) {
    case 0:
      return text(random, random.pick(EDGE_LENGTHS));
    case 1:
    case 2:
      return Array.from({ length: random.below(12) }, () => random.pick(FRAGMENTS)).join('');
    case 3:
      return text(random, random.below(10)) + random.pick(FRAGMENTS) + text(random, random.below(10));
    case 4:
      if (features.loneSurrogates) return text(random, random.below(4)) + random.pick(LONE_SURROGATES) + text(random, 1);
      return random.pick(FRAGMENTS);
    case 5:
      return random.pick(['open', 'closed', 'pending', 'unknown']);
    default:
      return text(random, random.below(30));
  }
}

/**
 * @param {Random} random
 * @returns {string} without lone surrogates
 */
export function mixedKey(random) {
  if (random.chance(0.25)) return random.pick(AWKWARD_KEYS);
  return random.chance(0.8) ? random.pick(PLAIN_KEYS) : text(random, random.below(40));
}

/**
 * @param {Random} random
 * @param {number} length
 */
function text(random, length) {
  let result = '';
  while (result.length < length) result += ALPHABET[random.below(ALPHABET.length)];
  return result;
}
