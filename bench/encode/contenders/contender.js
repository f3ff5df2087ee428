// The interface of an encoding contender. `field.js` lists the contenders, one file each.

/**
 * @typedef {object} Task
 * @property {string} format an id of `FORMATS` in cases.mjs
 * @property {string | null} list key of the long list in the root value; null for a document
 * @property {string} dataset `trips`, `numbers` or `document`: selects the schema
 * @property {string} library URL of `dist/`
 */

/**
 * @typedef {Uint8Array | readonly Uint8Array[]} Encoded bytes, or chunks of them
 */

/**
 * @typedef {object} Encoding
 * @property {(value: any) => unknown} [prepare]
 *   Converts a value to the library's form of plain objects, outside the measured time. Conversions to the library's own
 *   objects belong to `encode`.
 * @property {(value: any) => Encoded | Promise<Encoded>} encode
 * @property {Streaming} [stream] measured instead of `encode`
 * @property {(value: any) => Uint8Array | Promise<Uint8Array>} [encodeSmall] returns one array of bytes; default: `encode`
 * @property {() => void} [close]
 */

/**
 * Writes trips without keeping the bytes.
 *
 * @typedef {object} Streaming
 * @property {(rows: number) => unknown} open prepares the argument of `drain`, outside the measured time
 * @property {(value: any) => Promise<number>} drain returns the number of bytes
 */

/** @typedef {(task: Task) => Encoding | Promise<Encoding>} Setup exported as `setup` by the file of a contender */

/**
 * @typedef {object} EncodingContender
 * @property {string} id name of its file
 * @property {string} label
 * @property {'baseline' | 'library' | 'unspool'} kind
 * @property {readonly string[]} formats
 */

export {};
