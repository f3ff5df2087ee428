import { readFile } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { points } from '../../../../demo/server/data/numbers.mjs';
import { stationsCall, tripsCall } from '../../../../demo/server/data/small-calls.mjs';
import { encodeDocument, encodeRows } from '../../../../demo/server/encode.mjs';
import arrowWriter from '../../../../core/formats/arrow/writer.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { formatEntry } from '../../../../core/formats/registry.ts';
import { SchemaMaker, ValueMaker, Dice as AvroDice, forSchema } from '../../core/formats/avro/random.ts';
import { container } from '../../core/formats/avro/bytes.ts';
import * as bebop from '../../core/formats/bebop/random.ts';
import { encode as encodeCapnProto } from '../../core/formats/capnproto/encode.ts';
import * as capnproto from '../../core/formats/capnproto/random.ts';
import { encode as encodeFlatBuffer } from '../../core/formats/flatbuffers/encode.ts';
import * as flatbuffers from '../../core/formats/flatbuffers/random.ts';
import { bufferOf, encode as encodeJsBinary } from '../../core/formats/jsbinary/reference.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { Dice, randomMessage, randomProto } from '../../core/formats/protobuf/random.ts';

/** Payload with its expected detection. */
export interface Labelled {
  name: string;
  /** `none` for data of no known format. */
  label: FormatId | 'none';
  /** Content-Type that a server sends. */
  type: string;
  bytes: Uint8Array;
  /** Wrapping around the payload. */
  wrapped?: string;
  /** True for several consecutive values. */
  sequence?: boolean;
}

const SELF_DESCRIBING = ['json', 'messagepack', 'messagepack-records', 'cbor', 'cbor-records', 'bson', 'sia'] as const;
const WITH_SCHEMA = ['avro', 'protobuf', 'bebop', 'flatbuffers', 'capnproto', 'jsbinary'] as const;
const root = new URL('../../../../', import.meta.url);
const utf8 = new TextEncoder();

const formatOf = (encoder: string): FormatId => encoder.replace(/-.*/, '') as FormatId;
const typeOf = (format: FormatId): string => formatEntry(format)!.mediaTypes[0]!;

function one(format: FormatId, name: string, bytes: Uint8Array, more: Partial<Labelled> = {}): Labelled {
  return { name: `${format}: ${name}`, label: format, type: typeOf(format), bytes: Uint8Array.from(bytes), ...more };
}

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`node_modules/${path}`, root), 'utf8'));
}

/** Typical values of service responses, and published documents. */
async function documents(): Promise<[name: string, value: unknown][]> {
  const list = async (name: string, count: number): Promise<[string, unknown]> => {
    const rows = (await json(`vega-datasets/data/${name}.json`)) as unknown[];
    return [`${count} of vega-datasets ${name}`, { [name]: rows.slice(0, count) }];
  };
  return [
    ['three trips', tripsCall(1)],
    ['a page of stations', stationsCall(1)],
    ['countries', await json('world-atlas/countries-110m.json')],
    await list('cars', 100),
    await list('movies', 40),
    await list('penguins', 1),
    await list('barley', 120),
    await list('driving', 20),
    await list('weekly-weather', 7),
    ['a flag', { ok: true }],
    ['an error', { error: { code: 404, message: 'There is no such station' } }],
    ['an empty page', { items: [], total: 0, next: null }],
    ['a matrix', { matrix: Array.from({ length: 40 }, (_, i) => [i, i * 2, i * 0.5]) }],
    ['texts', { de: 'Größe, Überweg', ja: '日本語のテキスト', emoji: '🚲🛴' }],
  ];
}

async function selfDescribing(): Promise<Labelled[]> {
  const found: Labelled[] = [];
  const all = await documents();
  for (const encoder of SELF_DESCRIBING) {
    const format = formatOf(encoder);
    for (const [name, value] of all) {
      // BSON's root is a document.
      if (format === 'bson' && Array.isArray(value)) continue;
      found.push(one(format, `${name} (${encoder})`, encodeDocument(encoder, value)));
    }
    const source = createTripSource(3);
    found.push(one(format, `200 trips (${encoder})`, encodeRows(encoder, source.rows(200), { key: 'trips', count: 200, dataset: 'trips' })));
    const parts = [1, 2, 3].map((i) => encodeDocument(encoder, { event: 'moved', id: i, at: [i * 1.5, -i] }));
    if (!encoder.endsWith('records')) {
      const between = format === 'json' ? [Uint8Array.of(0x0a)] : [];
      const bytes = parts.flatMap((part) => [...part, ...between.flatMap((more) => [...more])]);
      found.push(one(format, `three events in a row (${encoder})`, Uint8Array.from(bytes), { sequence: true }));
    }
  }
  return found;
}

/** Lists of records as streams and files of Arrow, in few and many batches. */
async function tables(): Promise<Labelled[]> {
  const trips = [...createTripSource(3).rows(200)];
  const lists: [name: string, rows: readonly unknown[]][] = [
    ['200 trips', trips],
    ['a trip', trips.slice(0, 1)],
    ['no rows', []],
  ];
  for (const [name, value] of await documents()) {
    const [rows] = Object.values(value as Record<string, unknown>);
    if (/vega-datasets (?:cars|penguins|barley|driving)/.test(name)) lists.push([name, rows as unknown[]]);
  }
  const flights = await readFile(new URL('node_modules/vega-datasets/data/flights-200k.arrow', root));
  return [
    one('arrow', '200,000 flights', flights),
    ...lists.flatMap(([name, rows]) =>
      [{}, { framing: 'file' }, { batchRows: 10 }].map((options) =>
        one('arrow', `${name}, ${JSON.stringify(options)}`, encodeWith(arrowWriter, rows, { options })),
      ),
    ),
  ];
}

async function withSchemas(): Promise<Labelled[]> {
  const found: Labelled[] = [];
  for (const format of WITH_SCHEMA) {
    for (const count of [2, 60]) {
      found.push(
        one(format, `${count} trips`, encodeRows(format, createTripSource(2).rows(count), { key: 'trips', count, dataset: 'trips' })),
        one(format, `${count} points`, encodeRows(format, points(count), { key: 'items', count, dataset: 'numbers' })),
      );
    }
  }
  for (let seed = 0; found.length < 24 + 96; seed += 1) {
    const more = [
      await randomAvro(seed),
      await randomProtobuf(seed),
      randomBebop(seed),
      randomFlatBuffer(seed),
      randomCapnProto(seed),
      randomJsBinary(seed),
    ];
    found.push(...more.filter((item) => item.bytes.length >= 8));
  }
  const schema = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'name', type: 'string' },
    ],
  };
  const datum = forSchema(schema).toBuffer({ id: 7, name: 'Oak & 5th' });
  found.push(
    one('avro', 'a container', container(schema, undefined, [{ count: 3, data: Uint8Array.from([...datum, ...datum, ...datum]) }])),
    one('avro', 'an empty container', container(schema, 'null', [])),
    one('avro', 'a single object', Uint8Array.from([0xc3, 1, 1, 2, 3, 4, 5, 6, 7, 8, ...datum])),
  );
  for (const name of ['TestDefaults', 'TestListDefaults', 'TestUnion', 'TestPairs', 'TestGroups']) {
    found.push(one('capnproto', name, await fixture(`capnproto/values/${name}.bin`)));
    if (name !== 'TestPairs') found.push(one('capnproto', `${name} in segments, packed`, await fixture(`capnproto/values/${name}.segments.packed`)));
  }
  found.push(one('flatbuffers', 'everything', await fixture('flatbuffers/full.bin')));
  found.push(
    one('protobuf', 'everything', await fixture('protobuf/full.bin')),
    one('protobuf', 'a descriptor set', await fixture('protobuf/everything.desc')),
  );
  return found;
}

function fixture(path: string): Promise<Uint8Array> {
  return readFile(new URL(`tests/fixtures/${path}`, root));
}

async function randomAvro(seed: number): Promise<Labelled> {
  const dice = new AvroDice(seed);
  const schema = {
    type: 'record',
    name: 'Root',
    fields: Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, type: new SchemaMaker(dice).make(1) })),
  };
  // The generators name types by counting, so each field has its own generator and the names are made unique.
  const text = JSON.stringify(schema);
  let next = 0;
  const named = JSON.parse(text.replaceAll(/"name":"([^"f][^"]*)"/g, () => `"name":"N${next++}"`)) as never;
  try {
    return one('avro', `a random datum ${seed}`, forSchema(named).toBuffer(new ValueMaker(dice, named).make(named)));
  } catch {
    return one('avro', `a random datum ${seed}`, new Uint8Array(0));
  }
}

async function randomProtobuf(seed: number): Promise<Labelled> {
  const dice = new Dice(seed);
  const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
  const message = (): number[] => randomMessage(dice, schema, schema.root, { orderly: true, unknown: false, wrongTypes: false });
  if (seed % 4 > 0) return one('protobuf', `a random message ${seed}`, Uint8Array.from(message()));
  const parts = Array.from({ length: 5 }, message).filter(({ length }) => length > 0);
  return one('protobuf', `random messages in a row ${seed}`, delimited(parts.map((part) => Uint8Array.from(part))), { sequence: true });
}

/** Prefixes each message with its length. */
function delimited(messages: readonly Uint8Array[]): Uint8Array {
  const bytes: number[] = [];
  for (const message of messages) {
    let rest = message.length;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest, ...message);
  }
  return Uint8Array.from(bytes);
}

function randomBebop(seed: number): Labelled {
  const dice = new bebop.Dice(seed);
  const model = bebop.randomModel(dice);
  return one('bebop', `a random record ${seed}`, bebop.encode(model, bebop.randomValue(dice, model)));
}

function randomFlatBuffer(seed: number): Labelled {
  const dice = new flatbuffers.Dice(seed);
  const schema = flatbuffers.randomSchema(dice);
  const prefixed = seed % 4 === 0;
  return one(
    'flatbuffers',
    `a random table ${seed}${prefixed ? ', with its size' : ''}`,
    encodeFlatBuffer(schema, flatbuffers.randomValue(dice, schema), {
      sizePrefixed: prefixed,
      ...(schema.identifier ? { identifier: schema.identifier } : {}),
    }),
    { sequence: prefixed },
  );
}

function randomCapnProto(seed: number): Labelled {
  const dice = new capnproto.Dice(seed);
  const model = capnproto.randomModel(dice);
  const packed = seed % 3 === 0;
  return one('capnproto', `a random struct ${seed}${packed ? ', packed' : ''}`, encodeCapnProto(model, capnproto.randomValue(dice, model), packed));
}

function randomJsBinary(seed: number): Labelled {
  const dice = new Dice(seed);
  const text = (): string => dice.pick(['Oak & 5th', 'a', 'Größe', 'some longer text of a note', 'x'.repeat(80)]);
  const literal = { id: 'uint', name: 'string', 'at?': 'date', tags: ['string'], rows: [{ n: 'int', x: 'float', 'ok?': 'boolean' }], raw: 'Buffer' };
  const value = {
    id: dice.below(100_000),
    name: text(),
    at: dice.chance(0.5) ? new Date(1_700_000_000_000 + dice.below(1e9)) : undefined,
    tags: Array.from({ length: dice.below(4) }, text),
    rows: Array.from({ length: dice.below(8) }, () => ({
      n: dice.below(2000) - 1000,
      x: dice.next() * 100,
      ok: dice.chance(0.3) ? true : undefined,
    })),
    raw: bufferOf(Uint8Array.from({ length: dice.below(20) }, () => dice.below(256))),
  };
  return one('jsbinary', `a random value ${seed}`, encodeJsBinary(literal, value));
}

/** Zstandard (RFC 8878) in stored blocks. */
function zstd(bytes: Uint8Array): Uint8Array {
  const parts = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...new Uint8Array(Uint32Array.of(bytes.length).buffer)];
  for (let at = 0; at < bytes.length; at += 0x10000) {
    const block = bytes.subarray(at, at + 0x10000);
    const head = (block.length << 3) | (at + block.length >= bytes.length ? 1 : 0);
    parts.push(head & 0xff, (head >> 8) & 0xff, head >> 16, ...block);
  }
  return Uint8Array.from(parts);
}

function grpcWeb(messages: readonly Uint8Array[], trailers: string): Uint8Array {
  const parts = [...messages.map((message) => [0, message] as const), [0x80, utf8.encode(trailers)] as const];
  return Uint8Array.from(parts.flatMap(([flags, message]) => [flags, 0, 0, message.length >> 8, message.length & 0xff, ...message]));
}

async function wrapped(): Promise<Labelled[]> {
  const trips = (encoder: string): Uint8Array => encodeDocument(encoder, tripsCall(4));
  const message = encodeRows('protobuf', createTripSource(5).rows(2), { key: 'trips', count: 2, dataset: 'trips' });
  return [
    ...(['json', 'messagepack', 'cbor', 'bson', 'sia'] as const).flatMap((format) => [
      one(format, 'in gzip', gzipSync(trips(format)), { wrapped: 'gzip' }),
      one(format, 'in zlib', deflateSync(trips(format)), { wrapped: 'zlib' }),
      one(format, 'in zstd', zstd(trips(format)), { wrapped: 'zstd' }),
    ]),
    one('json', 'rows in zstd, compressed', await fixture('zstd/rows.ndjson.zst'), { wrapped: 'zstd', sequence: true }),
    one('protobuf', 'in gRPC-web frames', grpcWeb([message, message], 'grpc-status:0\r\n'), {
      wrapped: 'gRPC-web frames',
      type: 'application/grpc-web+proto',
      sequence: true,
    }),
    one('protobuf', 'two trips in a row', delimited([message, message]), { sequence: true }),
    one('capnproto', 'in gzip', gzipSync(await fixture('capnproto/values/TestDefaults.bin')), { wrapped: 'gzip' }),
  ];
}

async function others(): Promise<Labelled[]> {
  const none = (name: string, type: string, bytes: Uint8Array): Labelled => ({
    name: `none: ${name}`,
    label: 'none',
    type,
    bytes: Uint8Array.from(bytes),
  });
  const file = (path: string): Promise<Uint8Array> => readFile(new URL(path, root));
  const text = (name: string, type: string, content: string): Labelled => none(name, type, utf8.encode(content));
  const found = [
    none('a PNG', 'image/png', (await file('docs/images/panel/values/panel-tree.png')).subarray(0, 40_000)),
    none('a JPEG', 'image/jpeg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xdb)),
    none(
      'a GIF',
      'image/gif',
      Uint8Array.from([...utf8.encode('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
    ),
    none(
      'a WebP',
      'image/webp',
      Uint8Array.from([
        ...utf8.encode('RIFF'),
        26,
        0,
        0,
        0,
        ...utf8.encode('WEBPVP8L'),
        13,
        0,
        0,
        0,
        0x2f,
        0,
        0,
        0,
        0x10,
        7,
        0x10,
        0x11,
        0x11,
        0x88,
        0x88,
        0xfe,
        7,
        0,
      ]),
    ),
    none('WebAssembly', 'application/wasm', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0)),
    none('a WOFF 2 font', 'font/woff2', Uint8Array.from([...utf8.encode('wOF2'), 0, 1, 0, 0, 0, 0, 1, 0, 0, 14, 0, 0, 3, 8])),
    none('a ZIP archive', 'application/zip', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 8, 0, 8, 0, 1, 2, 3, 4, ...utf8.encode('name.txt')])),
    none('a PDF', 'application/pdf', utf8.encode('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')),
    none(
      'a Parquet file',
      'application/vnd.apache.parquet',
      (await readFile(new URL('node_modules/vega-datasets/data/flights-3m.parquet', root))).subarray(0, 20_000),
    ),
    none('a page', 'text/html', utf8.encode('<!doctype html><title>A page</title><p>Text')),
    none('a gateway’s error', 'text/html', utf8.encode('<html>\r\n<head><title>502 Bad Gateway</title></head></html>\r\n')),
    text('XML', 'application/xml', '<?xml version="1.0"?><rows><row id="1"/></rows>'),
    text('SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'),
    text('CSS', 'text/css', 'body { margin: 0 }\n'),
    text('JavaScript', 'text/javascript', '"use strict";\nexport const a = [1, 2, 3];\n'),
    text('plain text', 'text/plain', 'The quick brown fox jumps over the lazy dog.\n'),
    text('a word', 'text/plain', 'pong'),
    text('text in Japanese', 'text/plain', '日本語のテキスト。\n'),
    text('Markdown', 'text/markdown', (await file('README.md')).toString().slice(0, 4_000)),
    text('CSV', 'text/csv', (await readFile(new URL('node_modules/vega-datasets/data/seattle-weather.csv', root), 'utf8')).slice(0, 3_000)),
    text(
      'TSV',
      'text/tab-separated-values',
      (await readFile(new URL('node_modules/vega-datasets/data/unemployment.tsv', root), 'utf8')).slice(0, 3_000),
    ),
    text('a form', 'application/x-www-form-urlencoded', 'a=1&b=two+words&c=%C3%A9'),
    text('events', 'text/event-stream', 'event: moved\ndata: {"a":1}\n\nevent: moved\ndata: {"a":2}\n\n'),
    text('YAML', 'application/yaml', 'openapi: 3.1.0\ninfo:\n  title: Trips\n'),
    text('a token', 'text/plain', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'),
  ];
  const dice = new Dice(99);
  for (let i = 0; i < 60; i += 1) {
    found.push(
      none(
        `random bytes ${i}`,
        'application/octet-stream',
        Uint8Array.from({ length: 8 + i * 7 }, () => dice.below(256)),
      ),
    );
  }
  return found;
}

/** Payloads of every format, written by real encoders, and other data. The same at every call. */
export async function labelledPayloads(): Promise<Labelled[]> {
  return [...(await selfDescribing()), ...(await tables()), ...(await withSchemas()), ...(await wrapped()), ...(await others())];
}
