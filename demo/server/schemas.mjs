// The schemas of the datasets by format, from the files in ./schemas. Runs in Node and in a page.

const [trips, numbers] = await Promise.all([
  schemasOf('trips', { protobuf: 'unspool.demo.Trips', record: 'Trips' }),
  schemasOf('numbers', { protobuf: 'unspool.demo.Numbers', record: 'Numbers' }),
]);

/** @type {Readonly<Record<string, Readonly<Record<string, object>>>>} by dataset, then by format */
export const schemas = { trips, numbers };

/**
 * @param {string} name of the files
 * @param {{ protobuf: string, record: string }} roots names of the root types
 * @returns {Promise<Record<string, object>>}
 */
async function schemasOf(name, { protobuf, record }) {
  const [avsc, proto, bop, literal, bfbs, request] = await Promise.all(
    ['avsc', 'proto', 'bop', 'jsbinary.json', 'bfbs', 'capnp.request'].map((ending) => read(`schemas/${name}.${ending}`)),
  );
  return {
    avro: JSON.parse(text(avsc)),
    protobuf: { proto: text(proto), message: protobuf },
    bebop: { bop: text(bop), record },
    jsbinary: JSON.parse(text(literal)),
    flatbuffers: { bfbs },
    capnproto: { request, struct: record },
  };
}

/**
 * @param {string} path relative to this file
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function read(path) {
  const url = new URL(path, import.meta.url);
  if (url.protocol !== 'file:') return new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import('node:fs/promises');
  return Uint8Array.from(await readFile(url));
}

/** @param {Uint8Array} bytes */
function text(bytes) {
  return new TextDecoder().decode(bytes);
}
