// Decodes with an ordinary library and posts the objects back.
import { decoderFor } from '../decoders.js';

/** @type {(buffer: ArrayBuffer) => unknown} */
let decode;

addEventListener('message', ({ data: { format, buffer } }) => {
  if (format) decode = decoderFor(format);
  else postMessage(decode(buffer));
});
