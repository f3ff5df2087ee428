import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { createFetchHandler } from '@connectrpc/connect/protocol';
import { createAdaptorServer } from '@hono/node-server';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { type IHubProtocol, JsonHubProtocol, MessageType, NullLogger } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import * as esbuild from 'esbuild';
import { WebSocketServer } from 'ws';
import { streamOf } from '../../unit/main/live/answer/stream-of.ts';
import { REPOSITORY } from '../sources/imports.ts';
import { descriptorSetOf, generate, SHOP } from './generated-apps.ts';
import { buildServerComponents } from './server-components.node.ts';

/** Calls of clients from npm, as a page makes them. Each returns what it was answered. */
const PAGE = `
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createFromFetch } from 'react-server-dom-webpack/client.browser';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { HttpTransportType, HubConnectionBuilder } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { tableFromIPC } from 'apache-arrow';
import { Packr, Unpackr } from 'msgpackr';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { OrderService } from './es/gen/shop_pb.js';
import { OrderServiceClient } from './ts/gen/shop.client.ts';
import google from './google/gen/shop_grpc_web_pb.js';
import pb from './google/gen/shop_pb.js';

const origin = location.origin;
const messages = [{ role: 'user', content: 'Hello' }];
const orders = (transport) => createClient(OrderService, transport);
async function callHub(protocol) {
  const builder = new HubConnectionBuilder().withUrl(origin + '/hub', { skipNegotiation: true, transport: HttpTransportType.WebSockets });
  const hub = (protocol ? builder.withHubProtocol(protocol) : builder).build();
  await hub.start();
  return hub.invoke('Move', 7, 'Oak');
}
function Counter({ start }) {
  const [count, setCount] = useState(start);
  return createElement('button', { onClick: () => setCount(count + 1n) }, String(count));
}
globalThis.modules = { './counter.js': { Counter } };
globalThis.clients = {
  connect: async () => (await orders(createConnectTransport({ baseUrl: origin, useBinaryFormat: true })).get({ orderId: 7n })).customerName,
  'connect-web with gRPC-web': async () => (await orders(createGrpcWebTransport({ baseUrl: origin })).get({ orderId: 7n })).customerName,
  'a call that fails': () => orders(createGrpcWebTransport({ baseUrl: origin })).list({ pageSize: 7 }).catch((error) => error.message),
  'protobuf-ts': async () => (await new OrderServiceClient(new GrpcWebFetchTransport({ baseUrl: origin, format: 'binary' })).get({ orderId: 7n, pageNumbers: [] }).response).customerName,
  'grpc-web': () => new Promise((resolve, reject) => {
    const request = new pb.GetRequest();
    request.setOrderId(7);
    new google.OrderServiceClient(origin).get(request, {}, (error, order) => (error ? reject(error) : resolve(order.getCustomerName())));
  }),
  apollo: async () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: origin + '/graphql' }), cache: new InMemoryCache(), incrementalHandler: new Defer20220824Handler() });
    const query = gql\`query Bike { bike { id ... on Bike @defer { trips } } }\`;
    const { data } = await client.query({ query });
    return JSON.stringify(data.bike.trips);
  },
  trpc: async () => {
    const client = createTRPCClient({ links: [httpBatchLink({ url: origin + '/trpc' })] });
    return (await Promise.all([client.station.query('Oak'), client.station.query('Elm')])).map(({ name }) => name).join();
  },
  signalr: () => callHub(),
  'signalr with MessagePack': () => callHub(new MessagePackHubProtocol()),
  msgpackr: async () => {
    const packr = new Packr({ sequential: true });
    const unpackr = new Unpackr({ structures: [], sequential: true });
    const socket = Object.assign(new WebSocket(origin.replace('http', 'ws') + '/echo'), { binaryType: 'arraybuffer' });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    let answer;
    for (const record of [{ id: 1, name: 'Oak' }, { id: 2, name: 'Elm' }]) {
      const answered = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
      socket.send(packr.pack(record));
      answer = unpackr.unpack(new Uint8Array((await answered).data));
    }
    return answer.name;
  },
  arrow: async () => tableFromIPC(await (await fetch('/stations.arrow')).arrayBuffer()).get(1).name,
  openai: async () => {
    const client = new OpenAI({ apiKey: 'none', baseURL: origin + '/openai', maxRetries: 0, dangerouslyAllowBrowser: true });
    return client.chat.completions.stream({ model: 'gpt-5', messages }).finalContent();
  },
  anthropic: async () => {
    const client = new Anthropic({ apiKey: 'none', baseURL: origin + '/anthropic', maxRetries: 0, dangerouslyAllowBrowser: true });
    return client.messages.stream({ model: 'claude', max_tokens: 1000, messages }).finalText();
  },
  maplibre: async () => {
    const { Map } = await import(origin + '/maplibre/maplibre-gl.mjs');
    const container = document.body.appendChild(Object.assign(document.createElement('div'), { style: 'width: 256px; height: 256px' }));
    const sources = { town: { type: 'vector', tiles: [origin + '/tiles/{z}/{x}/{y}.pbf'], maxzoom: 0 } };
    const layers = [
      { id: 'stations', type: 'circle', source: 'town', 'source-layer': 'stations' },
      { id: 'lines', type: 'line', source: 'town', 'source-layer': 'lines' },
    ];
    const map = new Map({ container, style: { version: 8, sources, layers }, center: [13, 52], zoom: 1 });
    await new Promise((resolve, reject) => map.once('idle', resolve).once('error', ({ error }) => reject(error)));
    const features = map.querySourceFeatures('town', { sourceLayer: 'stations' });
    map.remove();
    container.remove();
    return features[0].properties.name;
  },
  'server components': async () => {
    const page = createFromFetch(fetch('/bike?_rsc=1a2b3', { headers: { rsc: '1' } }));
    const container = document.body.appendChild(document.createElement('div'));
    const root = createRoot(container);
    root.render(await page);
    for (let frame = 0; frame < 600 && container.querySelector('li') === null; frame += 1) await new Promise(requestAnimationFrame);
    const text = [...container.querySelectorAll('h1, li, button')].map((element) => element.textContent).join();
    root.unmount();
    container.remove();
    return text;
  },
  webauthn: async () => {
    const user = { id: Uint8Array.of(7), name: 'ada', displayName: 'Ada' };
    const publicKey = { challenge: Uint8Array.of(1, 2, 3), rp: { name: 'Shop' }, user, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] };
    const credential = await navigator.credentials.create({ publicKey });
    const response = await fetch('/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credential) });
    return response.text();
  },
};`;

/** The functions of webpack by which React loads the modules of client components. */
const WEBPACK = 'globalThis.__webpack_require__ = (id) => globalThis.modules[id]; globalThis.__webpack_chunk_load__ = async () => {};';

export interface ClientSite {
  /** Address of the page, by a name for which WebAuthn works. */
  url: string;
  close: () => Promise<void>;
}

/** Starts a site whose page has `clients`, and whose server answers them with the libraries of their protocols where there are some for Node. */
export async function startClientSite(): Promise<ClientSite> {
  const script = await bundle();
  const rpc = await shopRouter();
  const t = initTRPC.create();
  const router = t.router({
    station: t.procedure.input((name) => String(name)).query(({ input }) => ({ name: input, docks: [7, 9] })),
  });
  const renderBike = await buildServerComponents();
  const table = new Table({ name: vectorFromArray(['Oak', 'Elm'], new Utf8()) });
  const answers: Readonly<Record<string, () => Response>> = {
    '/page.js': () => body('text/javascript', script),
    // As Apollo Server writes it.
    '/graphql': () =>
      body(
        'multipart/mixed; boundary="-"; deferSpec=20220824',
        ['{"data":{"bike":{"__typename":"Bike","id":1}},"hasNext":true}', '{"incremental":[{"path":["bike"],"data":{"trips":[7]}}],"hasNext":false}']
          .map((part) => `\r\n---\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${part}`)
          .join('')
          .concat('\r\n-----\r\n'),
      ),
    '/stations.arrow': () => body('application/vnd.apache.arrow.stream', tableToIPC(table, 'stream')),
    '/openai/chat/completions': () => body('text/event-stream', streamOf('openai', 'calls')),
    '/anthropic/v1/messages': () => body('text/event-stream', streamOf('anthropic', 'calls')),
    '/register': () => body('text/plain', 'registered'),
    '/bike': () => body('text/x-component', renderBike(7)),
  };
  const answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const [, z, x, y] = /^\/tiles\/(\d+)\/(\d+)\/(\d+)\.pbf$/.exec(path) ?? [];
    if (y !== undefined) return body('application/x-protobuf', tileOf(Number(z), Number(x), Number(y)));
    const [, file] = /^\/maplibre\/([\w-]+\.mjs)$/.exec(path) ?? [];
    if (file !== undefined) return body('text/javascript', await readFile(join(REPOSITORY, 'node_modules/maplibre-gl/dist', file)));
    const call = rpc.get(path);
    if (call) return call(request);
    if (path.startsWith('/trpc/')) return fetchRequestHandler({ endpoint: '/trpc', req: request, router });
    return (
      answers[path]?.() ??
      body('text/html', '<!doctype html><title>Clients</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>')
    );
  };
  const server = createAdaptorServer({ fetch: answer }) as Server;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => {
    if (url === '/echo') socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    else socket.once('message', (handshake: Buffer) => serveHub(socket, handshake));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const body = (type: string, content: Uint8Array | ReadableStream | string): Response =>
  new Response(content as BodyInit, { headers: { 'content-type': type } });

const STATIONS = ['Oak St', 'Elm St', 'Ash Ave'].map((name, index) => ({
  type: 'Feature' as const,
  id: index + 1,
  geometry: { type: 'Point' as const, coordinates: [13 + index * 30, 52] },
  properties: { name, docks: 7 + index, open: index > 0 },
}));
const LINE = {
  type: 'Feature' as const,
  geometry: { type: 'LineString' as const, coordinates: STATIONS.map(({ geometry }) => geometry.coordinates) },
  properties: { name: 'U7', length: 12.5 },
};
const LAYERS = [
  ['stations', new GeoJSONVT({ type: 'FeatureCollection', features: STATIONS })],
  ['lines', new GeoJSONVT(LINE)],
] as const;

/** A vector tile of a town. */
function tileOf(z: number, x: number, y: number): Uint8Array {
  const tiles = LAYERS.map(([name, layer]) => [name, layer.getTile(z, x, y)] as const);
  return fromGeojsonVt(Object.fromEntries(tiles.flatMap(([name, tile]) => (tile ? [[name, tile]] : []))), { version: 2, extent: 4096 });
}

async function bundle(): Promise<string> {
  const folder = join(REPOSITORY, `node_modules/.generated/clients-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await generate('protobuf-es 2', SHOP, join(folder, 'es'));
    await generate('protobuf-ts', SHOP, join(folder, 'ts'));
    await generate('google-protobuf', SHOP, join(folder, 'google'));
    await writeFile(join(folder, 'page.js'), PAGE);
    const options = {
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
      banner: { js: WEBPACK },
      define: { 'process.env.NODE_ENV': '"production"' },
    } as const;
    const { outputFiles } = await esbuild.build({ absWorkingDir: folder, entryPoints: ['page.js'], ...options });
    return outputFiles[0]!.text;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The shop, for Connect and gRPC-web, by path. */
async function shopRouter(): Promise<Map<string, (request: Request) => Promise<Response>>> {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await descriptorSetOf(SHOP)));
  const router = createConnectRouter().service(registry.getService(SHOP.service)!, {
    get: ({ orderId }: { orderId: bigint }) => ({ orderId, customerName: 'Ada', lineItems: [{ productName: 'Lamp', unitPrice: 12.5 }] }),
    list: () => {
      throw new ConnectError('no such page', Code.OutOfRange);
    },
  } as never);
  return new Map(router.handlers.map((handler) => [handler.requestPath, createFetchHandler(handler)]));
}

/** A hub by the specification of the protocol, which answers each call with its arguments. */
function serveHub(socket: import('ws').WebSocket, handshake: Buffer): void {
  const protocol: IHubProtocol = String(handshake).includes('messagepack') ? new MessagePackHubProtocol() : new JsonHubProtocol();
  socket.send('{}\u001e');
  socket.on('message', (data: Buffer) => {
    const input = protocol.name === 'json' ? String(data) : Uint8Array.from(data).buffer;
    for (const message of protocol.parseMessages(input, NullLogger.instance))
      if (message.type === MessageType.Invocation)
        socket.send(
          protocol.writeMessage({ type: MessageType.Completion, invocationId: message.invocationId!, result: message.arguments.join(' ') }) as string,
        );
  });
}
