// Runs in the page: decodes GeoJSON into flat coordinates, alternately with JSON.parse.
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';

/** @typedef {{ name: string, places: number }} GeometryCase */
/** @typedef {{ parseMs: number, ms: number, blockMs: number }} GeometrySample */

/** Coordinates as RFC 7946 recommends them, and with all digits of a double. @type {readonly GeometryCase[]} */
export const GEOMETRY_CASES = [6, 15].map((places) => ({ name: `GeoJSON to flat coordinates, ${places} places`, places }));

/** Rounds before the measured ones, in which the engine compiles the code. */
const WARM_UP = 1;
/** Idle time before a decode, in which the ticker sees a block at its start. */
const IDLE_MS = 20;

/** @param {GeometryCase} given @param {number} size in bytes @param {number} runs @returns {Promise<GeometrySample[]>} */
export async function measureGeometry({ places }, size, runs) {
  const { createDecoder } = await import(LIBRARY);
  const decoder = createDecoder();
  const ticker = new Ticker();
  const bytes = payload(places, size);
  /** @type {GeometrySample[]} */
  const samples = [];
  for (let run = 0; run < runs + WARM_UP; run += 1) {
    collect();
    const parseMs = parse(bytes);
    collect();
    const copy = bytes.slice();
    ticker.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const start = performance.now();
    const { features } = await decoder.decode(copy, { format: 'json', numbers: 'typed' });
    const end = performance.now();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const blockMs = longestBlock(ticker.stop(), start, end);
    if (!(features[0].geometry.coordinates.positions instanceof Float64Array)) throw new Error('The coordinates are not flat.');
    samples.push({ parseMs, ms: end - start, blockMs });
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

/** Polygons of 5 to 1,500 points. @param {number} places @param {number} size */
function payload(places, size) {
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
