// Ways to get the value of a payload that was fetched again. The same code runs in a page and in Node.
import { replaceEqualDeep } from '@tanstack/query-core';
import { Decoder as CborDecoder } from 'cbor-x';
import { Unpackr } from 'msgpackr';

/** @typedef {'json' | 'messagepack' | 'cbor'} Format */
/** @typedef {(bytes: Uint8Array<ArrayBuffer>, previous: unknown) => unknown} Refetch a value, or a promise of it */
/** @typedef {(options?: object) => { decode(bytes: Uint8Array<ArrayBuffer>, options: object): Promise<unknown> }} CreateDecoder */

const text = new TextDecoder();

/** What applications use today, by format. @type {Readonly<Record<Format, () => (bytes: Uint8Array<ArrayBuffer>) => unknown>>} */
const LIBRARIES = {
  json: () => (bytes) => JSON.parse(text.decode(bytes)),
  messagepack: () => {
    const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });
    return (bytes) => unpackr.unpack(bytes);
  },
  cbor: () => {
    const decoder = new CborDecoder({ useRecords: false, mapsAsObjects: true });
    return (bytes) => decoder.decode(bytes);
  },
};

/**
 * `library` is JSON.parse, msgpackr or cbor-x; `shared` does the same and then compares all of it with the value before, as
 * TanStack Query does; `decode` is Unspool without `previous`.
 *
 * @param {CreateDecoder} createDecoder
 * @param {Format} format
 * @returns {Record<'library' | 'shared' | 'decode' | 'previous', Refetch>}
 */
export function contenders(createDecoder, format) {
  const decoder = createDecoder();
  const library = LIBRARIES[format]();
  return {
    library: (bytes) => library(bytes),
    shared: (bytes, previous) => replaceEqualDeep(previous, library(bytes)),
    decode: (bytes) => decoder.decode(bytes, { format }),
    previous: (bytes, previous) => decoder.decode(bytes, { format, previous }),
  };
}
