// Avro's binary encoding, by the schemas in ../schemas: one record with an array of rows, a block for each batch.
import { batches, counted } from './encoder.mjs';

const utf8 = new TextEncoder();

/** @type {Record<string, (row: any, writer: Writer) => void>} */
const writers = { trips: writeTrip, numbers: writePoint };

/** @type {import('./encoder.mjs').Encoder} */
export const avro = {
  id: 'avro',
  mediaType: 'application/avro',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(writers),

  *encode(rows, { count, dataset }) {
    const write = writers[dataset];
    if (!write) throw new RangeError(`There is no Avro schema for ${dataset}.`);
    for (const batch of batches(counted(rows, count))) {
      const writer = new Writer();
      writer.long(batch.length);
      for (const row of batch) write(row, writer);
      yield writer.finish();
    }
    // A block of no items ends the array.
    yield Uint8Array.of(0);
  },
};

/** Bytes that grow. */
class Writer {
  #bytes = new Uint8Array(65_536);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** @param {number} size */
  #reserve(size) {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + size));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /**
   * Zig-zag, then seven bits a byte, the lowest first.
   *
   * @param {number} value a safe integer
   */
  long(value) {
    this.#reserve(10);
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  /** @param {number} value */
  double(value) {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** @param {string} value */
  string(value) {
    const bytes = utf8.encode(value);
    this.long(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /**
   * A value of the union of null and the type that `write` writes.
   *
   * @template T
   * @param {T | null} value
   * @param {(writer: Writer, value: T) => void} write
   */
  nullable(value, write) {
    this.long(value === null ? 0 : 1);
    if (value !== null) write(this, value);
  }

  finish() {
    return this.#bytes.slice(0, this.#at);
  }
}

/**
 * @param {import('../data/trips.mjs').Trip} trip
 * @param {Writer} writer
 */
function writeTrip(trip, writer) {
  writer.string(trip.ride_id);
  writer.long(trip.rideable_type === 'electric_bike' ? 0 : 1);
  writer.long(milliseconds(trip.started_at));
  writer.long(milliseconds(trip.ended_at));
  writer.string(trip.start_station_name);
  writer.string(trip.start_station_id);
  writer.nullable(trip.end_station_name, writeString);
  writer.nullable(trip.end_station_id, writeString);
  writer.double(trip.start_lat);
  writer.double(trip.start_lng);
  writer.nullable(trip.end_lat, writeDouble);
  writer.nullable(trip.end_lng, writeDouble);
  writer.long(trip.member_casual === 'member' ? 0 : 1);
}

/**
 * @param {import('../data/numbers.mjs').Point} point
 * @param {Writer} writer
 */
function writePoint({ x, y, z }, writer) {
  writer.double(x);
  writer.double(y);
  writer.double(z);
}

/**
 * @param {Writer} writer
 * @param {string} value
 */
function writeString(writer, value) {
  writer.string(value);
}

/**
 * @param {Writer} writer
 * @param {number} value
 */
function writeDouble(writer, value) {
  writer.double(value);
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function milliseconds(text) {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
