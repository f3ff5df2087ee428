// Cap'n Proto, by the schemas in ../schemas: one segment, in which the list of structs comes first and the texts follow.
import { batches, counted } from './encoder.mjs';

/**
 * @typedef {object} Layout
 * @property {number} dataWords words of a struct's data section
 * @property {number} pointers how many pointers follow it
 * @property {(row: any, view: DataView, at: number, texts: Texts) => void} write writes the struct at `at`
 */

/** @type {Record<string, Layout>} */
const layouts = {
  trips: { dataWords: 7, pointers: 5, write: writeTrip },
  numbers: { dataWords: 3, pointers: 0, write: writePoint },
};

/** @type {import('./encoder.mjs').Encoder} */
export const capnproto = {
  id: 'capnproto',
  mediaType: 'application/x-capnproto',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(layouts),

  *encode(rows, { count, dataset }) {
    const layout = layouts[dataset];
    if (!layout) throw new RangeError(`There is no Cap'n Proto schema for ${dataset}.`);
    const { dataWords, pointers, write } = layout;
    const size = (dataWords + pointers) * 8;
    const listWords = (count * size) / 8;
    // The root's pointer, the root, which is one pointer, and the word before the list's items.
    const texts = new Texts(24 + count * size);
    const chunks = [];
    let at = 24;
    for (const batch of batches(counted(rows, count))) {
      const bytes = new Uint8Array(batch.length * size);
      const view = new DataView(bytes.buffer);
      for (const [index, row] of batch.entries()) {
        texts.base = at;
        write(row, view, index * size, texts);
      }
      at += bytes.length;
      chunks.push(bytes);
    }
    const head = new DataView(new ArrayBuffer(32));
    head.setUint32(4, 3 + listWords + texts.length / 8, true);
    head.setUint32(12, 1 << 16, true);
    head.setUint32(16, 1, true);
    head.setUint32(20, (listWords << 3) | 7, true);
    head.setUint32(24, count << 2, true);
    head.setUint32(28, dataWords | (pointers << 16), true);
    yield new Uint8Array(head.buffer);
    yield* chunks;
    yield* texts.chunks();
  },
};

/** The texts behind the list, each padded to whole words. */
class Texts {
  /** Where the rows that are being written begin in the segment. */
  base = 0;
  length = 0;
  #start;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #full = [];
  #chunk = new Uint8Array(1 << 20);
  #used = 0;
  #encoder = new TextEncoder();

  /** @param {number} start where they begin in the segment */
  constructor(start) {
    this.#start = start;
  }

  /**
   * @param {DataView} view
   * @param {number} at of the pointer, in the view
   * @param {string | null} text
   */
  write(view, at, text) {
    if (text === null) return;
    const most = text.length * 3 + 8;
    if (this.#used + most > this.#chunk.length) {
      this.#full.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = new Uint8Array(Math.max(1 << 20, most));
      this.#used = 0;
    }
    const { written } = this.#encoder.encodeInto(text, this.#chunk.subarray(this.#used));
    const offset = (this.#start + this.length - (this.base + at + 8)) / 8;
    view.setUint32(at, (offset << 2) | 1, true);
    view.setUint32(at + 4, ((written + 1) << 3) | 2, true);
    const size = (written >> 3) * 8 + 8;
    this.#used += size;
    this.length += size;
  }

  *chunks() {
    yield* this.#full;
    yield this.#chunk.subarray(0, this.#used);
  }
}

/**
 * @param {import('../data/trips.mjs').Trip} trip
 * @param {DataView} view
 * @param {number} at
 * @param {Texts} texts
 */
function writeTrip(trip, view, at, texts) {
  view.setUint16(at, trip.rideable_type === 'electric_bike' ? 0 : 1, true);
  view.setUint16(at + 2, trip.member_casual === 'member' ? 0 : 1, true);
  view.setBigInt64(at + 8, milliseconds(trip.started_at), true);
  view.setBigInt64(at + 16, milliseconds(trip.ended_at), true);
  view.setFloat64(at + 24, trip.start_lat, true);
  view.setFloat64(at + 32, trip.start_lng, true);
  view.setFloat64(at + 40, trip.end_lat ?? Number.NaN, true);
  view.setFloat64(at + 48, trip.end_lng ?? Number.NaN, true);
  texts.write(view, at + 56, trip.ride_id);
  texts.write(view, at + 64, trip.start_station_name);
  texts.write(view, at + 72, trip.start_station_id);
  texts.write(view, at + 80, trip.end_station_name);
  texts.write(view, at + 88, trip.end_station_id);
}

/**
 * @param {import('../data/numbers.mjs').Point} point
 * @param {DataView} view
 * @param {number} at
 */
function writePoint({ x, y, z }, view, at) {
  view.setFloat64(at, x, true);
  view.setFloat64(at + 8, y, true);
  view.setFloat64(at + 16, z, true);
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function milliseconds(text) {
  return BigInt(Date.parse(`${text.replace(' ', 'T')}Z`));
}
