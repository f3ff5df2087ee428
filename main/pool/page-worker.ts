/** A Worker; unknown where the types of pages are not there, as in Node. */
export type PageWorker = typeof globalThis extends { Worker: { prototype: infer Instance } } ? Instance : unknown;
