// The interface of a contender. `index.js` and `field.js` list the contenders, one file each.

/**
 * @typedef {object} Payload
 * @property {string} format an encoder's id: `json`, `messagepack`, …
 * @property {string | null} list key of the long list in the root value; null without one
 * @property {string} [dataset] selects the schema of the rows
 * @property {object} [schema] schema of this payload; default: that of the dataset
 * @property {string} [code] address of the code that pbf generated for that schema
 * @property {(string | number)[]} [path] path of the long list if it is no property of the root
 * @property {string} [root] field that holds the value in formats that need a record around a list
 * @property {boolean} [canonical] whether values are compared by meaning, since formats represent them differently
 * @property {boolean} repeated whether the same buffer is decoded many times, so that it must stay intact
 */

/**
 * @typedef {object} Decoding
 * @property {(buffer: ArrayBuffer) => unknown} decode
 *   Returns the value that an application would use, or a promise of it. Transfers the buffer unless `repeated`.
 * @property {(value: any) => unknown} [plain]
 *   Converts the result of `decode` to plain objects, with a Date for each time that the format stores as a number.
 *   Undefined if `decode` returns plain objects.
 * @property {(value: any) => unknown} [own] returns the library's own object for the first row, if `decode` wraps it
 * @property {() => void} close
 */

/**
 * @typedef {object} Contender
 * @property {string} id name of its file
 * @property {string} label
 * @property {'main' | 'worker' | 'unspool'} kind a library on the main thread, the same in a worker that
 *   posts the objects back, or Unspool
 * @property {'objects' | 'rows'} result whether `decode` returns plain objects, or rows that are created when they
 *   are read
 * @property {boolean} [loses] whether absent values of trips become empty or zero
 * @property {readonly string[]} formats encodings it decodes
 * @property {(payload: Payload) => Decoding | Promise<Decoding>} setup
 */

export {};
