// Code that decodes with a format's reader on this thread. Loaded with the first format other than JSON, which the
// engine parses.
export { locateError } from '../../core/reading/decode.ts';
export { fullRevive } from '../decoder/revive.ts';
export { readAtOnce } from './reader-slices.ts';
export { slicesFor } from './slices-for.ts';
export { sample } from './sample.ts';
