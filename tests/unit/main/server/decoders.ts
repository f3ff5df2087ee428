export { createDecoder } from '../../../../main/index.ts';
export { createEncoder } from '../../../../main/encode.ts';
