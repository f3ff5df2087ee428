// What a contender is. One file per contender beside this one, named by the table in `index.js`.

/**
 * @typedef {object} Payload
 * @property {string} format an encoder's id: `json`, `messagepack`, …
 * @property {string | null} list the key of the long list in the root value; null where there is none
 * @property {string} [dataset] what the rows of the list are, for decoders that need a schema
 * @property {object} [schema] of this payload, as the library takes it; otherwise the dataset's
 * @property {string} [code] the address of what pbf generated for that schema
 * @property {(string | number)[]} [path] leads to the long list where it is no property of the root
 * @property {string} [root] the field that has the value, where the format wants a record around a list
 * @property {boolean} [canonical] whether values are compared by what they mean, since formats write them differently
 * @property {boolean} repeated the same buffer is decoded many times over, so it must stay intact
 */

/**
 * @typedef {object} Decoding
 * @property {(buffer: ArrayBuffer) => unknown} decode
 *   Gives the value, or a promise of it, that an application would go on with. Takes the buffer over unless `repeated`.
 * @property {(value: any) => unknown} [plain]
 *   Makes plain objects of what `decode` gave, with a Date for each time that the format keeps as a number. Left out where
 *   they are that already.
 * @property {(value: any) => unknown} [own] the library's own object for the first row, where `decode` wraps it
 * @property {() => void} close
 */

/**
 * @typedef {object} Contender
 * @property {string} id its file's name
 * @property {string} label
 * @property {'main' | 'worker' | 'unspool'} kind where it decodes: a library on the main thread, the same in a worker
 *   that posts the objects back, or Unspool
 * @property {'objects' | 'rows'} result whether `decode` ends with every plain object there, or with rows that are
 *   made when they are read
 * @property {boolean} [loses] the values of trips are not those that were written: what is absent becomes empty or zero
 * @property {readonly string[]} formats the encodings it decodes
 * @property {(payload: Payload) => Decoding | Promise<Decoding>} setup
 */

export {};
