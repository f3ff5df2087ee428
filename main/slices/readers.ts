// Code that decodes with a format's reader on this thread. Loaded with the first format other than JSON, which the
// engine parses.
export { locateError } from '../../core/format/decode-session.ts';
export { fullRevive } from '../../core/reading/format-revive.ts';
export { readAtOnce } from '../../core/slicing/reader-slices.ts';
export { slicesFor } from './slices-for.ts';
export { sample } from '../../core/slicing/sample.ts';
