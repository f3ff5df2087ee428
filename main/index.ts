export { createDecoder } from './decoder/create-decoder.ts';
export * from './exports.ts';
