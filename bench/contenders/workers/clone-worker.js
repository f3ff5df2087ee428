// Decodes with an ordinary library and posts the objects back: whole, or the rows of one list in messages of `chunk` and
// then the rest of the value.
import { decoderFor } from '../decoders.js';

/** @type {(buffer: ArrayBuffer) => unknown} */
let decode;

addEventListener('message', ({ data }) => {
  const { format, buffer, chunk, list } = data;
  if (format) {
    decode = decoderFor(format);
    return;
  }
  const value = decode(buffer);
  if (chunk === undefined) {
    postMessage(value);
    return;
  }
  const { [list]: rows, ...rest } = /** @type {Record<string, any>} */ (value);
  for (let from = 0; from < rows.length; from += chunk) postMessage(rows.slice(from, from + chunk));
  postMessage(rest);
});
