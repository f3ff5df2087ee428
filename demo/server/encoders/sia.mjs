// Sia as the sializer package writes it.
// @ts-expect-error: the package has no types.
import { Sia } from 'sializer';
import { counted } from './encoder.mjs';

/** Zero has no sign in the package, and bytes are written for a Node Buffer alone. */
const CARRIES = Object.freeze({ nonFinite: true, undefined: true, date: true, map: true, set: true });

/** Bytes of the package's buffer, which does not grow: for a row, and for a whole document. */
const ROW = 4 * 1024 * 1024;
const DOCUMENT = 64 * 1024 * 1024;
/** Bytes that are gathered before they are sent. */
const CHUNK = ROW / 2;

/** @type {import('./encoder.mjs').Encoder} Byte for byte what the package gives for the whole value. */
export const sia = {
  id: 'sia',
  mediaType: 'application/x-sia',
  version: 1,
  carries: CARRIES,

  // Keys are numbered through the whole payload: one writer goes on from row to row.
  *encode(rows, { key, count }) {
    const writer = new Sia({ size: ROW });
    writer.startObject();
    writer.map.set(key, writer.strings++);
    writer.addString(key);
    writer.startArray(count);
    for (const row of counted(rows, count)) {
      writer.serializeItem(row);
      if (writer.offset >= CHUNK) yield take(writer);
    }
    writer.endObject();
    yield take(writer);
  },

  encodeDocument: (value) => [Uint8Array.from(new Sia({ size: DOCUMENT }).serialize(value))],
};

/**
 * What has been written since the last time.
 *
 * @param {{ buffer: Uint8Array, offset: number }} writer
 */
function take(writer) {
  const bytes = Uint8Array.from(writer.buffer.subarray(0, writer.offset));
  writer.offset = 0;
  return bytes;
}
