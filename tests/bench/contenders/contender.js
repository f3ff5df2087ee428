// What a contender is. One file per contender beside this one, named by the table in `index.js`.

/**
 * @typedef {object} Payload
 * @property {string} format an encoder's id: `json`, `messagepack`, …
 * @property {string | null} list the key of the long list in the root value; null where there is none
 * @property {boolean} repeated the same buffer is decoded many times over, so it must stay intact
 */

/**
 * @typedef {object} Decoding
 * @property {(buffer: ArrayBuffer) => unknown} decode
 *   Gives the value, or a promise of it, that an application would go on with. Takes the buffer over unless `repeated`.
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
 * @property {boolean} needsList cannot decode a payload that has no long list in its root
 * @property {readonly string[]} formats the encodings it decodes
 * @property {(payload: Payload) => Decoding | Promise<Decoding>} setup
 */

export {};
