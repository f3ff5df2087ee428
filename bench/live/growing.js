// Runs in the page: values of JSON that arrives in small pieces.
import { JSONParser } from '@streamparser/json';
import { parsePartialJson } from 'ai';
import { parse as bestEffort } from 'best-effort-json-parser';
import { parse as jsonriver } from 'jsonriver';
import { parse as partialJson } from 'partial-json';

const PARTIAL = '/dist/partial.js';
const JSON_FORMAT = '/dist/formats/json.js';

/** Milliseconds of a frame. */
const FRAME_MS = 16;
/** Contenders that take longer are stopped. */
const MAX_MS = 20_000;

/** Thrown to stop a contender. */
class TooLong extends Error {}

/**
 * A parser of pieces. `take` is called for each value so far, if `every`; otherwise about once a frame, where the parser lets
 * its caller choose. Returns the whole value.
 *
 * @typedef {(pieces: readonly string[], every: boolean, take: (value: unknown) => void) => unknown} Grow
 */

/** Calls `due` after each piece, and tells it whether a value is due. */
function clock(/** @type {boolean} */ every) {
  const start = performance.now();
  let last = start;
  let count = 0;
  return () => {
    count += 1;
    if (!every && (count & 63) !== 0) return false;
    const now = performance.now();
    if (now - start > MAX_MS) throw new TooLong();
    if (every) return true;
    if (now - last < FRAME_MS) return false;
    last = now;
    return true;
  };
}

/**
 * A parser of texts that are cut, which parses from the beginning for each value.
 *
 * @param {(text: string) => unknown} parse
 * @returns {Grow}
 */
const again = (parse) => (pieces, every, take) => {
  let text = '';
  const due = clock(every);
  for (const piece of pieces) {
    text += piece;
    if (due()) take(parse(text));
  }
  return parse(text);
};

/** @type {Readonly<Record<string, { label: string, grow: Grow }>>} */
export const GROWING = {
  'json-parse': { label: 'JSON.parse once, at the end', grow: (pieces) => JSON.parse(pieces.join('')) },
  unspool: {
    label: 'Unspool',
    async grow(pieces, every, take) {
      const [{ createPartial }, { default: json }] = await Promise.all([import(PARTIAL), import(JSON_FORMAT)]);
      const partial = createPartial(json);
      const due = clock(every);
      for (const piece of pieces) {
        partial.push(piece);
        if (due()) take(partial.value);
      }
      return partial.finish();
    },
  },
  jsonriver: {
    label: 'jsonriver (changes values in place)',
    async grow(pieces, every, take) {
      const due = clock(every);
      let last;
      for await (const value of jsonriver(
        (async function* () {
          yield* pieces;
        })(),
      )) {
        last = value;
        if (due()) take(value);
      }
      return last;
    },
  },
  streamparser: {
    label: '@streamparser/json (changes values in place)',
    grow(pieces, every, take) {
      let last;
      const parser = new JSONParser({ paths: ['$'], emitPartialTokens: true, emitPartialValues: true });
      parser.onValue = ({ value }) => {
        last = value;
      };
      const due = clock(every);
      for (const piece of pieces) {
        parser.write(piece);
        if (due()) take(last);
      }
      return last;
    },
  },
  'partial-json': { label: 'partial-json (parses again)', grow: again((text) => partialJson(text)) },
  'ai-sdk': {
    label: "the AI SDK's parsePartialJson (parses again)",
    async grow(pieces, every, take) {
      let text = '';
      const due = clock(every);
      for (const piece of pieces) {
        text += piece;
        if (due()) take((await parsePartialJson(text)).value);
      }
      return (await parsePartialJson(text)).value;
    },
  },
  'best-effort': { label: 'best-effort-json-parser (parses again)', grow: again((text) => bestEffort(text)) },
};

/** The documents, of about `bytes` of JSON. @type {Readonly<Record<string, (bytes: number) => unknown>>} */
export const DOCUMENTS = {
  records: (bytes) => ({
    trips: Array.from({ length: Math.round(bytes / 142) }, (_, id) => ({
      id,
      name: `trip number ${id}`,
      lat: id / 7,
      lon: -id / 3,
      tags: ['a', 'b'],
      note: 'some text that is a bit longer',
    })),
  }),
  text: (bytes) => ({
    title: 'A chat',
    sections: Array.from({ length: Math.round(bytes / 6300) }, (_, section) => ({
      heading: `Section ${section}`,
      paragraphs: Array.from({ length: 10 }, (_, id) => ({ id, text: 'Lorem ipsum dolor sit amet,\n consectetur "adipiscing" elit. '.repeat(9) })),
    })),
  }),
};

/**
 * Grows a document `runs` times. Returns the milliseconds of each run; none if it took too long.
 *
 * @param {string} id @param {string} name @param {number} bytes @param {number} step @param {boolean} every @param {number} runs
 */
export async function growDocument(id, name, bytes, step, every, runs) {
  const text = JSON.stringify(DOCUMENTS[name]?.(bytes));
  const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, at) => text.slice(at * step, at * step + step));
  let values = 0;
  const times = [];
  try {
    // The first run warms up.
    for (let run = 0; run <= runs; run += 1) {
      values = 0;
      const start = performance.now();
      const whole = await GROWING[id]?.grow(pieces, every, () => (values += 1));
      const time = performance.now() - start;
      if (JSON.stringify(whole) !== text) throw new Error(`${id} has another value`);
      if (run > 0) times.push(time);
      // A frame, so that garbage of the run is not collected in the next.
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
    }
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { bytes: text.length, values, times: [] };
  }
  return { bytes: text.length, values, times };
}
