import { encodeDocument } from '../../demo/server/encode.mjs';
import { tripAt } from '../../demo/server/data/trips.mjs';
import { BAKEOFF_CONTENDERS, FORMATS } from './cases.mjs';

/** @typedef {import('../page/leftovers.js').Looked & { contender: string, format: string }} Leftover */

/** `{"__proto__": {"a": 1}, "b": 2}` in each format with arbitrary keys. */
const PROTO = /** @type {Record<string, string>} */ ({
  json: Buffer.from('{"__proto__":{"a":1},"b":2}').toString('hex'),
  // fixmap 2, fixstr 9, fixmap 1, fixstr 1, 1, fixstr 1, 2
  messagepack: `82a9${hex('__proto__')}81a16101a16202`,
  // map 2, text 9, map 1, text 1, 1, text 1, 2
  cbor: `a269${hex('__proto__')}a1616101616202`,
  // size, 03 document: size, 10 int32 a, 00; 10 int32 b, 00
  bson: `2300000003${hex('__proto__')}000c00000010610001000000001062000200000000`,
});

/** @param {string} text */
function hex(text) {
  return Buffer.from(text).toString('hex');
}

/** @param {string} format */
function protoIn(format) {
  if (PROTO[format]) return [...Buffer.from(PROTO[format], 'hex')];
  return format === 'sia' ? [...encodeDocument(format, JSON.parse('{"__proto__":{"a":1},"b":2}'))] : null;
}

/** Converts a key to the only form of names that Cap'n Proto allows. @param {string} key */
function camelCase(key) {
  return key.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
}

/**
 * Inspects the result of each decoder on a page whose policy forbids code generation.
 *
 * @param {import('../browser.mjs').BenchBrowser} browser
 * @param {{ url: string, strictUrl: string }} site
 * @returns {Promise<Leftover[]>}
 */
export async function probeLeftovers(browser, { url, strictUrl }) {
  /** @type {Leftover[]} */
  const leftovers = [];
  for (const format of FORMATS) {
    for (const contender of BAKEOFF_CONTENDERS.filter(({ formats }) => formats.includes(format))) {
      if (contender.id === 'unspool-rows') continue;
      const probe = {
        contender: contender.id,
        payload: { format, list: 'trips', dataset: 'trips', repeated: false },
        url: `/payload?dataset=trips&format=${format}&rows=1000`,
        proto: protoIn(format),
        keys: Object.keys(tripAt(0)).map((key) => (format === 'capnproto' ? camelCase(key) : key)),
      };
      const looked = await lookAt(browser, strictUrl, probe);
      // Libraries that need code generation are inspected on a page that allows it.
      const others = looked.codegen === 'needed' ? await lookAt(browser, url, probe) : looked;
      leftovers.push({ ...others, codegen: looked.codegen, contender: contender.id, format });
    }
  }
  return leftovers;
}

/**
 * @param {import('../browser.mjs').BenchBrowser} browser
 * @param {string} url
 * @param {Parameters<typeof import('../page/leftovers.js').look>[0]} probe
 */
async function lookAt(browser, url, probe) {
  return await browser.withPage(url, (page) =>
    page.evaluate(async (given) => {
      const address = '/bench/page/leftovers.js';
      const { look } = await import(address);
      return /** @type {import('../page/leftovers.js').Looked} */ (await look(given));
    }, probe),
  );
}
