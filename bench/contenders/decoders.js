import { Unpackr } from 'msgpackr';

/** Encodings of `decoderFor`. */
export const JSON_FORMATS = ['json'];
export const MSGPACKR_FORMATS = ['messagepack', 'messagepack-records', 'messagepack-records-bundled'];

/**
 * The main-thread decoder that most applications use for an encoding: JSON.parse or msgpackr.
 *
 * @param {string} format
 * @returns {(buffer: ArrayBuffer) => unknown}
 */
export function decoderFor(format) {
  return JSON_FORMATS.includes(format) ? jsonDecoder() : msgpackrDecoder(format);
}

/** @returns {(buffer: ArrayBuffer) => unknown} */
export function jsonDecoder() {
  const text = new TextDecoder();
  return (buffer) => JSON.parse(text.decode(buffer));
}

/**
 * @param {string} format
 * @returns {(buffer: ArrayBuffer) => unknown}
 */
export function msgpackrDecoder(format) {
  const unpackr = new Unpackr({ useRecords: format !== 'messagepack', mapsAsObjects: true });
  return (buffer) => unpackr.unpack(new Uint8Array(buffer));
}
