/** Runs the built files, as they are, in service workers that are modules: of an extension and of a page. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromJson, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import * as esbuild from 'esbuild';
import { chromium, type Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { launchWithExtension } from '../setup/panel/devtools-panel.ts';

/** `message Trip { int64 id = 1; bytes photo = 2; }`, as protoc gives it. */
const DESCRIPTOR_SET = toBinary(
  FileDescriptorSetSchema,
  fromJson(FileDescriptorSetSchema, {
    file: [
      {
        name: 'trip.proto',
        syntax: 'proto3',
        messageType: [
          {
            name: 'Trip',
            field: [
              { name: 'id', number: 1, label: 'LABEL_OPTIONAL', type: 'TYPE_INT64' },
              { name: 'photo', number: 2, label: 'LABEL_OPTIONAL', type: 'TYPE_BYTES' },
            ],
          },
        ],
      },
    ],
  }),
);

/** Service workers by their imports. Each has a function `run` that gives what comes of some decodes. */
const SOURCES = {
  'service-worker': `
import { createServiceWorkerDecoder } from './unspool/service-worker.js';
import cbor from './unspool/formats/cbor.js';
const handle = createServiceWorkerDecoder({ formats: { cbor } }).handler({ respondWith: 'json' });
self.run = async () => (await handle({ request: new Request('data:application/cbor;base64,gaFhYQE=') })).json();`,
  sync: `
import { decodeSync } from './unspool/sync.js';
import cbor from './unspool/formats/cbor.js';
self.run = async () => decodeSync(cbor, Uint8Array.of(0x81, 0xa1, 0x61, 0x61, 1));`,
  protojson: `
import { createServiceWorkerDecoder } from './unspool/service-worker.js';
import { compileSchema, decodeSync } from './unspool/sync.js';
import protobuf from './unspool/formats/protobuf.js';
import protobufEncoder from './unspool/encoders/protobuf.js';
import protojson from './unspool/formats/protojson.js';
import protojsonEncoder from './unspool/encoders/protojson.js';
const schema = { format: 'protojson', schema: { message: 'Trip', descriptorSet: Uint8Array.from([${DESCRIPTOR_SET.join()}]) } };
const text = '{"id":"7","photo":"AQI="}';
const bytes = [8, 7, 18, 2, 1, 2];
const send = (route, options) => createServiceWorkerDecoder({ ...options, schemas: { trip: schema } }).handler({ schema: 'trip', ...route });
const request = (type, body) => ({ request: new Request('data:' + type + ';base64,' + btoa(String.fromCharCode(...body))) });
const json = [...new TextEncoder().encode(text)];
self.run = async () => {
  const read = send({ format: 'protojson', respondWith: { format: 'protobuf', schema: 'trip' } }, { formats: { protojson, protobuf }, encoders: { protobuf: protobufEncoder } });
  const written = send({ format: 'protobuf', respondWith: { format: 'protojson', schema: 'trip' } }, { formats: { protobuf }, encoders: { protojson: protojsonEncoder } });
  const alone = send({ format: 'protojson', respondWith: 'json' }, { formats: { protojson } });
  const compiled = await compileSchema(protobuf, schema.schema);
  return {
    read: [...new Uint8Array(await (await read(request('application/json', json))).arrayBuffer())],
    written: await (await written(request('application/x-protobuf', bytes))).text(),
    sync: decodeSync(protojson, Uint8Array.from(json), { schema: compiled }).id,
    alone: (await (await alone(request('application/json', json))).json()).title,
  };
};`,
  encode: `
import { createEncoder } from './unspool/encode.js';
self.run = async () => {
  const encoder = createEncoder();
  const calls = {
    json: () => encoder.encode([1], { format: 'json' }),
    cbor: () => encoder.encode([1], { format: 'cbor' }),
    options: () => encoder.encode([1], { format: 'json', options: { bigints: 'string' } }),
    compressed: () => encoder.encode([1], { format: 'json', compression: 'gzip' }),
    transcoded: async () => (await encoder.transcode(new Response('[1]'), { to: { format: 'json' } }).getReader().read()).value,
    unknown: () => encoder.encode([1], { format: 'xml' }),
  };
  const found = {};
  for (const [name, call] of Object.entries(calls)) found[name] = await call().then((bytes) => new TextDecoder().decode(bytes), String);
  return found;
};`,
  main: `
import { createDecoder } from './unspool/index.js';
self.run = async () => {
  const decoder = createDecoder();
  const cbor = Uint8Array.of(0x81, 0xa1, 0x61, 0x61, 1);
  const one = async (values) => { for await (const value of values) return value; };
  const validate = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
  const calls = {
    json: () => decoder.decode(new Response('[{"a":1}]', { headers: { 'content-type': 'application/json' } })),
    cbor: () => decoder.decode(cbor, { format: 'cbor' }),
    rows: () => decoder.decode(cbor, { format: 'cbor', as: 'rows' }),
    picked: () => decoder.decode(new Response('[{"a":1,"b":2}]').body, { format: 'json', pick: ['a'] }),
    validated: () => decoder.decode(cbor, { format: 'cbor', validate }),
    batches: () => one(decoder.batches(new Response(cbor), { format: 'cbor' })),
    growingRows: () => decoder.growingRows(new Response(cbor), { format: 'cbor' }),
    partial: () => one(decoder.partial(new Response('[{"a":1}]'))),
    messages: () => one(decoder.messages((async function* () { yield cbor; })(), { format: 'cbor' })),
    previous: () => decoder.decode(cbor, { format: 'cbor', previous: undefined }),
    preload: async () => (await decoder.preload(['cbor'])) ?? [{ a: 1 }],
  };
  const found = {};
  for (const [name, call] of Object.entries(calls)) {
    found[name] = await call().then((value) => [...value], (error) => String(error) + (error.stack.includes(error.message) ? '' : ' (not in its stack)'));
  }
  return found;
};`,
} as const;
const VALUE = [{ a: 1 }];
/** Calls of the service worker that imports the main entry. */
const CALLS = ['json', 'cbor', 'rows', 'picked', 'validated', 'batches', 'growingRows', 'partial', 'messages', 'previous', 'preload'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-modules-'));
  await cp(join(ROOT, 'dist'), join(folder, 'unspool'), { recursive: true, filter: (path) => !path.endsWith('.map') && !path.endsWith('types') });
  for (const [name, source] of Object.entries(SOURCES)) await writeFile(join(folder, `${name}.js`), source);
  await esbuild.build({
    entryPoints: [join(folder, 'main.js')],
    outfile: join(folder, 'bundled.js'),
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Calls the function `run` of a service worker. */
const run = (worker: Worker): Promise<unknown> => worker.evaluate('run()');

async function inExtension(script: string): Promise<unknown> {
  const manifest = { manifest_version: 3, name: 'Reader', version: '1', background: { service_worker: script, type: 'module' } };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const { context, close } = await launchWithExtension(folder);
  try {
    return await run(context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker')));
  } finally {
    await close();
  }
}

async function onPage(script: string): Promise<unknown> {
  const browser = await chromium.launch(chromiumLaunch());
  try {
    const context = await browser.newContext();
    await context.route('http://localhost/**', async (route) => {
      const path = new URL(route.request().url()).pathname.slice(1);
      if (path === '') await route.fulfill({ contentType: 'text/html', body: '' });
      else await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(folder, path), 'utf8') });
    });
    const page = await context.newPage();
    await page.goto('http://localhost/');
    const started = context.waitForEvent('serviceworker');
    await page.evaluate((url) => navigator.serviceWorker.register(url, { type: 'module' }), `/${script}`);
    return await run(await started);
  } finally {
    await browser.close();
  }
}

describe.each([
  ['an extension', inExtension],
  ['a page', onPage],
])('a service worker of %s that is a module', (_, decoded) => {
  it.each(['service-worker', 'sync'])('decodes with the entry %s and the format that it imports', async (name) => {
    expect(await decoded(`${name}.js`)).toEqual(VALUE);
  });

  it('decodes with the main entry in one file of a bundler', async () => {
    expect(await decoded('bundled.js')).toEqual(Object.fromEntries(CALLS.map((name) => [name, VALUE])));
  });

  it('decodes JSON with the main entry as it is, and rejects what needs more code with an error that names the entries to use', async () => {
    const refused = 'TypeError: service workers refuse import(): use unspool/service-worker or unspool/sync';
    expect(await decoded('main.js')).toEqual(Object.fromEntries(CALLS.map((name) => [name, name === 'json' ? VALUE : refused])));
  });

  it('compiles the schemas of protojson by the code of protobuf that it imports, and says that code is missing without it', async () => {
    const expected = { read: [8, 7, 18, 2, 1, 2], written: '{"id":"7","photo":"AQI="}', sync: 7, alone: 'WorkerCrashError' };
    expect(await decoded('protojson.js')).toEqual(expected);
  });

  it('encodes plain JSON, and rejects what needs more code with an error that names the entry to use', async () => {
    const refused = 'TypeError: service workers refuse import(): use unspool/sync';
    const expected = { json: '[1]', cbor: refused, options: refused, compressed: refused, transcoded: refused, unknown: refused };
    expect(await decoded('encode.js')).toEqual(expected);
  });
});
