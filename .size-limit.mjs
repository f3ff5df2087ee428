import { existsSync, readdirSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { loadedWith } from './scripts/build/modules.mjs';

/**
 * A part of the library: its file, and what is loaded with it.
 *
 * @param {string} name
 * @param {string} file
 * @param {{ limit?: string, without?: Iterable<string> }} [options] `without` is what the page or worker already has
 */
function part(name, file, { limit, without = [] } = {}) {
  const had = new Set(without);
  const path = [...loadedWith(file)].filter((loaded) => !had.has(loaded)).map((loaded) => relative('.', loaded));
  return { name, path, gzip: true, ...(limit !== undefined && { limit }) };
}

const formats = existsSync('dist/formats') ? readdirSync('dist/formats').filter((name) => name.endsWith('.js')) : [];
const page = loadedWith('dist/index.js');
const fromWorker = [...page, ...loadedWith('dist/from-worker.js')];

export default [
  part('entry, in two files', 'dist/index.js', { limit: '22.6 kB' }),
  part('entry without the lists of formats', 'dist/core.js', { limit: '21.95 kB' }),
  part('what parses long JSON in slices', 'dist/json-slices.js', { limit: '6.6 kB', without: page }),
  part('pool of workers', 'dist/pool.js', { limit: '4.4 kB', without: page }),
  part('what formats but JSON are read with on a page', 'dist/readers.js', { limit: '6.5 kB', without: page }),
  part('what a page sends payloads to workers with, and builds their values with', 'dist/from-worker.js', { limit: '9.5 kB', without: page }),
  part('what sorts, filters and groups Rows', 'dist/tables.js', { limit: '9.1 kB', without: fromWorker }),
  part('views that follow refetches', 'dist/rows-view.js', { limit: '4.5 kB', without: [...fromWorker, ...loadedWith('dist/tables.js')] }),
  part('worker, with JSON and MessagePack', 'dist/worker.js', { limit: '49.8 kB' }),
  part('worker without formats', 'dist/worker-core.js', { limit: '49.8 kB' }),
  part('entry with the worker and every format inlined', 'dist/inline.js'),
  part('service worker, without formats', 'dist/service-worker.js', { limit: '33.25 kB' }),
  part('registration of a service worker', 'dist/register.js', { limit: '4 kB', without: page }),
  part('encoding, with JSON and MessagePack', 'dist/encode.js', { limit: '15.97 kB' }),
  part('what has values compressed, and rows written, in workers', 'dist/encoder-workers.js'),
  part('messages of encoders', 'dist/encoder-messages.js', { limit: '1.5 kB' }),
  part('transcoding', 'dist/transcode.js'),
  part('validation', 'dist/validate.js'),
  part('entry in Node', 'dist/node.js'),
  part('servers, without formats but JSON and MessagePack', 'dist/server.js', { limit: '34.6 kB' }),
  part('what reads bodies other than JSON in servers', 'dist/body-reader.js', { limit: '7.95 kB' }),
  part('sockets in workers, on the page', 'dist/socket.js', { limit: '2.16 kB', without: [...page, ...loadedWith('dist/pool.js')] }),
  part('sockets in workers, in the worker', 'dist/socket-worker.js', { limit: '8.15 kB' }),
  part('changes between refetches', 'dist/changes.js', { limit: '1.5 kB' }),
  part('what a page loads to keep the objects of a previous value', 'dist/decode-again.js', { limit: '14.1 kB', without: fromWorker }),
  part('schemas of JSON Schemas', 'dist/json-schema.js', { limit: '4 kB' }),
  part('messages of a schema registry', 'dist/registry.js', { limit: '3.2 kB' }),
  part('decoding on the calling thread, without formats', 'dist/sync.js'),
  part('values in part on the calling thread, without formats', 'dist/partial.js', { limit: '7.76 kB' }),
  part('values in part, for decoder.partial', 'dist/partial-value.js', { limit: '5.16 kB' }),
  part('decoder.partial, messages and events, without the values in part', 'dist/live.js', {
    limit: '5.38 kB',
    without: [...page, ...loadedWith('dist/partial-value.js')],
  }),
  part('answers of language models, without a service', 'dist/open-answer.js', { limit: '2 kB', without: [...page, ...loadedWith('dist/live.js')] }),
  ...['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'].map((name) =>
    part(`answers of ${name}`, `dist/${name}.js`, { limit: '0.5 kB' }),
  ),
  part('what unpacks Zstandard in a worker', 'dist/zstd.js'),
  part('what writes rows in a worker, without formats', 'dist/rows-writer.js'),
  part('what skips the parts that are not picked, makes typed arrays, and takes broken text', 'dist/shaping.js', { limit: '7.6 kB' }),
  part('what writes JSON for a service worker in a worker', 'dist/json-text.js'),
  part('what reads .proto texts', 'dist/proto-text.js'),
  part('what reads the types of protobuf.js', 'dist/proto-reflection.js'),
  part('what reads .fbs texts', 'dist/fbs-text.js'),
  part('what reads .capnp texts', 'dist/capnp-text.js'),
  // All that `npm pack` takes, unpacked.
  { name: 'package', path: ['dist/**', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'], gzip: false, brotli: false, limit: '6 MB' },
  ...formats.map((file) => part(`format ${basename(file, '.js')}`, `dist/formats/${file}`)),
];
