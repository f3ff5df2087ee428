// Ways to get the value of a payload that was fetched again. The same code runs in a page and in Node.
import { replaceEqualDeep } from '@tanstack/query-core';
import { deserialize } from 'bson';
import { Decoder as CborDecoder } from 'cbor-x';
import { Unpackr } from 'msgpackr';
import { PbfReader } from 'pbf';

/** @typedef {'json' | 'messagepack' | 'cbor' | 'bson' | 'protobuf'} Format */
/** @typedef {{ format: Format, schema?: object | undefined, code?: string | undefined }} Kind `code`: URL of the module that pbf generates */
/** @typedef {(bytes: Uint8Array<ArrayBuffer>, previous: unknown) => unknown} Refetch a value, or a promise of it */
/** @typedef {(options?: object) => { decode(bytes: Uint8Array<ArrayBuffer>, options: object): Promise<unknown> }} CreateDecoder */

const text = new TextDecoder();

/** What applications use today, by format. @type {Readonly<Record<Format, (code?: string) => (bytes: Uint8Array<ArrayBuffer>) => unknown>>} */
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
  bson: () => (bytes) => deserialize(bytes),
  protobuf: (code) => {
    const loading = import(/* @vite-ignore */ code ?? '');
    return async (bytes) => (await loading).readRoot(new PbfReader(bytes), undefined);
  },
};

/**
 * Each decodes a copy that it may keep, as that of a response. `library` is JSON.parse, msgpackr, cbor-x, bson or pbf; `shared` does the same and then compares all of it with the value before, as
 * TanStack Query does; `decode` is Unspool without `previous`, and `rows` is `previous` with `as: 'rows'`.
 *
 * @param {CreateDecoder} createDecoder
 * @param {Kind} kind
 * @returns {Record<'library' | 'shared' | 'decode' | 'previous' | 'rows', Refetch>}
 */
export function contenders(createDecoder, { format, schema, code }) {
  const decoder = createDecoder();
  const library = LIBRARIES[format](code);
  return {
    library: (bytes) => library(bytes),
    shared: async (bytes, previous) => replaceEqualDeep(previous, await library(bytes)),
    decode: (bytes) => decoder.decode(bytes, { format, schema, transfer: true }),
    previous: (bytes, previous) => decoder.decode(bytes, { format, schema, previous, transfer: true }),
    rows: (bytes, previous) => decoder.decode(bytes, { format, schema, previous, as: 'rows', transfer: true }),
  };
}
