// What encodes. One file for each beside this one in `contenders/`, named by the table in `field.js`.

/**
 * @typedef {object} Task
 * @property {string} format an id of `FORMATS` in cases.mjs
 * @property {string | null} list the key of the long list in the root value; null for a document
 * @property {string} dataset `trips`, `numbers` or `document`: what a schema is chosen by
 * @property {string} library where the built library is: the URL of `dist/`
 */

/**
 * @typedef {Uint8Array | readonly Uint8Array[]} Encoded bytes, or the chunks that they were written into
 */

/**
 * @typedef {object} Encoding
 * @property {(value: any) => unknown} [prepare]
 *   Makes of a value what the library takes, where that may be plain objects; before the time begins. What only the
 *   library's own objects can hold is made by `encode`, and is part of its time.
 * @property {(value: any) => Encoded | Promise<Encoded>} encode
 * @property {Streaming} [stream] what is measured in place of `encode`
 * @property {(value: any) => Uint8Array | Promise<Uint8Array>} [encodeSmall] one array of bytes; `encode` where it is left out
 * @property {() => void} [close]
 */

/**
 * Writes trips without keeping what is written.
 *
 * @typedef {object} Streaming
 * @property {(rows: number) => unknown} open makes what `drain` takes, before the time begins
 * @property {(value: any) => Promise<number>} drain gives the number of bytes
 */

/** @typedef {(task: Task) => Encoding | Promise<Encoding>} Setup what the file of a contender exports as `setup` */

/**
 * @typedef {object} EncodingContender
 * @property {string} id its file's name
 * @property {string} label
 * @property {'baseline' | 'library' | 'unspool'} kind
 * @property {readonly string[]} formats
 */

export {};
