// What payloads are read with on this thread by the reader of their format. It is loaded together with the first format:
// JSON, which the engine parses, does without.
export { fullRevive } from '../decoder/revive.ts';
export { decodeAtOnce } from './at-once.ts';
export { ReaderSlices } from './reader-slices.ts';
export { sample } from './sample.ts';
