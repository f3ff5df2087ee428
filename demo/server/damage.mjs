/** Values of `?damage=`: none, an early end, an invalid byte, a broken connection. */
export const DAMAGES = /** @type {const} */ (['none', 'cut', 'byte', 'reset']);

/** @typedef {typeof DAMAGES[number]} Damage */

/** A byte that is invalid in both MessagePack and UTF-8. */
const WRONG_BYTE = 0xc1;
/** Consecutive letters that indicate a string in every format. */
const LETTERS = 6;

/**
 * The offset of the damage: after three fifths.
 *
 * @param {number} bytes
 */
export function placeOfDamage(bytes) {
  return Math.max(1, Math.floor(bytes * 0.6));
}

/**
 * Passes bytes through and damages them from the offset `at` on.
 *
 * @param {AsyncIterable<Uint8Array>} source
 * @param {Damage} damage
 * @param {number} at
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* spoil(source, damage, at) {
  let offset = 0;
  let isSpoilt = damage === 'none';
  for await (const chunk of source) {
    const end = offset + chunk.length;
    if (isSpoilt || end <= at) {
      yield chunk;
    } else if (damage === 'byte') {
      const place = insideText(chunk, Math.max(0, at - offset));
      yield place === undefined ? chunk : Uint8Array.from(chunk).fill(WRONG_BYTE, place, place + 1);
      isSpoilt = place !== undefined;
    } else {
      yield chunk.subarray(0, Math.max(0, at - offset));
      if (damage === 'reset') throw new Error('The connection is reset, as requested.');
      isSpoilt = true;
    }
    offset = end;
  }
}

/**
 * The position of a letter among letters.
 *
 * @param {Uint8Array} bytes
 * @param {number} from
 */
function insideText(bytes, from) {
  let letters = 0;
  for (let at = from; at < bytes.length; at++) {
    const isLetter = (bytes[at] | 0x20) >= 0x61 && (bytes[at] | 0x20) <= 0x7a;
    letters = isLetter ? letters + 1 : 0;
    if (letters === LETTERS) return at - 2;
  }
  return undefined;
}
