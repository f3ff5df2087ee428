// Runs in the page: decodes GeoJSON into flat coordinates and lists of numbers into typed arrays, in turn with JSON.parse and with a
// library of the format.
import { Decoder as CborDecoder } from 'cbor-x';
import { Unpackr } from 'msgpackr';
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';

/** @typedef {'json' | 'messagepack' | 'cbor'} GeometryFormat */
/** @typedef {{ name: string, format: GeometryFormat, of: 'polygons' | 'numbers', places: number }} GeometryCase */
/** @typedef {{ parseMs: number, libraryMs: number, ms: number, blockMs: number }} GeometrySample */

/** Names of the formats, and what an application would decode them with. */
export const LIBRARIES = { json: 'JSON.parse', messagepack: 'msgpackr', cbor: 'cbor-x' };
const FORMAT_NAMES = { json: 'JSON', messagepack: 'MessagePack', cbor: 'CBOR' };

/** Coordinates as RFC 7946 recommends them, and with all digits of a double; for numbers, digits after the point. */
export const GEOMETRY_CASES = [
  ...casesOf('polygons', 'json', 6),
  ...casesOf('polygons', 'json', 15),
  ...casesOf('polygons', 'messagepack', 6),
  ...casesOf('polygons', 'cbor', 6),
  ...casesOf('numbers', 'json', 6),
  ...casesOf('numbers', 'messagepack', 6),
  ...casesOf('numbers', 'cbor', 6),
];

/** The file of the encoder. */
const ENCODE = '/dist/encode.js';

/** Rounds before the measured ones, in which the engine compiles the code. */
const WARM_UP = 1;
/** Idle time before a decode, in which the ticker sees a block at its start. */
const IDLE_MS = 20;
/** Numbers in a list. */
const LIST = 1_000_000;

/** @param {GeometryCase['of']} of @param {GeometryFormat} format @param {number} places @returns {GeometryCase[]} */
function casesOf(of, format, places) {
  const what = of === 'polygons' ? 'GeoJSON to flat coordinates' : 'numbers to typed arrays';
  return [{ name: `${what}, ${places} places, ${FORMAT_NAMES[format]}`, format, of, places }];
}

/** @param {GeometryCase} given @param {number} size of the JSON in bytes @param {number} runs @returns {Promise<GeometrySample[]>} */
export async function measureGeometry({ of, places, format }, size, runs) {
  const [{ createDecoder }, { createEncoder }] = await Promise.all([import(LIBRARY), import(ENCODE)]);
  const decoder = createDecoder();
  const ticker = new Ticker();
  const json = of === 'polygons' ? polygons(places, size) : numbers(places, size);
  const bytes = format === 'json' ? json : await createEncoder().encode(JSON.parse(new TextDecoder().decode(json)), { format });
  /** @type {GeometrySample[]} */
  const samples = [];
  for (let run = 0; run < runs + WARM_UP; run += 1) {
    collect();
    const parseMs = parse(json);
    collect();
    const libraryMs = format === 'json' ? parseMs : unpack(format, bytes);
    collect();
    const copy = bytes.slice();
    ticker.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const start = performance.now();
    const { features, lists } = await decoder.decode(copy, { format, numbers: 'typed' });
    const end = performance.now();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const blockMs = longestBlock(ticker.stop(), start, end);
    const values = of === 'polygons' ? features[0].geometry.coordinates.positions : lists[0].values;
    if (!(values instanceof Float64Array)) throw new Error('The numbers are not flat.');
    samples.push({ parseMs, libraryMs, ms: end - start, blockMs });
  }
  decoder.close();
  return samples.slice(WARM_UP);
}

function collect() {
  /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
}

/** A function of its own, so that the value is collected. @param {Uint8Array<ArrayBuffer>} bytes */
function parse(bytes) {
  const start = performance.now();
  JSON.parse(new TextDecoder().decode(bytes));
  return performance.now() - start;
}

/** A function of its own, likewise. @param {'messagepack' | 'cbor'} format @param {Uint8Array} bytes */
function unpack(format, bytes) {
  const start = performance.now();
  if (format === 'cbor') new CborDecoder({ mapsAsObjects: true, useRecords: false }).decode(bytes);
  else new Unpackr({ useRecords: false }).unpack(bytes);
  return performance.now() - start;
}

/** Lists of a million numbers. @param {number} places @param {number} size */
function numbers(places, size) {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(size + 20 * LIST);
  let length = encoder.encodeInto('{"lists":[', bytes).written;
  for (let id = 0; length < size; id += 1) {
    const values = Array.from({ length: LIST }, () => (Math.random() * 2000 - 1000).toFixed(places));
    length += encoder.encodeInto(`${id > 0 ? ',' : ''}{"id":${id},"values":[${values.join(',')}]}`, bytes.subarray(length)).written;
  }
  length += encoder.encodeInto(']}', bytes.subarray(length)).written;
  return bytes.slice(0, length);
}

/** Polygons of 5 to 1,500 points. @param {number} places @param {number} size */
function polygons(places, size) {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(size + 100_000);
  let length = encoder.encodeInto('{"type":"FeatureCollection","features":[', bytes).written;
  for (let id = 0; length < size; id += 1) {
    const points = 5 + Math.floor(1500 * Math.random() ** 3);
    let [east, north] = [Math.random() * 360 - 180, Math.random() * 180 - 90];
    const ring = Array.from({ length: points }, () => {
      east += Math.random() * 0.02 - 0.01;
      north += Math.random() * 0.02 - 0.01;
      return `[${east.toFixed(places)},${north.toFixed(places)}]`;
    });
    ring.push(/** @type {string} */ (ring[0]));
    const feature = `{"type":"Feature","id":${id},"properties":{"name":"Field ${id}","area":${points / 8}},"geometry":{"type":"Polygon","coordinates":[[${ring.join(',')}]]}}`;
    length += encoder.encodeInto(`${id > 0 ? ',' : ''}${feature}`, bytes.subarray(length)).written;
  }
  length += encoder.encodeInto(']}', bytes.subarray(length)).written;
  return bytes.slice(0, length);
}
