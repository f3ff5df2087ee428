/** Examples with a package of their own: built by Vite with the packed library, and run in Chromium against their servers. `frameworks.test.ts` has those whose libraries are heavy. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { once } from 'node:events';
import { getRequestListener } from '@hono/node-server';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as vite from 'vite';
import { WebSocketServer } from 'ws';
import { handle as handleGraphql } from '../../docs/examples/12-apollo/server.ts';
import { handle as handleUrql } from '../../docs/examples/13-urql/server.ts';
import { handle as handleTrpc } from '../../docs/examples/10-trpc/server.ts';
import { handle as handleConnect } from '../../docs/examples/15-connect/server.ts';
import { serve as serveCapnweb } from '../../docs/examples/16-capnweb/server.ts';
import { respond } from '../../main/server.ts';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { ROOT } from '../../scripts/run.mjs';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { makeApplication } from './bundlers/package.ts';

const ROWS = 5_000;
const EXAMPLES = join(ROOT, 'docs/examples');
const MESSAGEPACK = 'application/vnd.msgpack';
/** A call in the page of each example, or of one of its modules, and the media type of the answer. */
const CALLS: Readonly<Record<string, readonly [call: string, type: string]>> = {
  '05-openapi-fetch': [`loadTrips(location.origin, ${ROWS})`, MESSAGEPACK],
  '10-trpc': [`loadTrips(location.origin, ${ROWS})`, MESSAGEPACK],
  '11-rtk-query': [`loadTrips('/trips')`, MESSAGEPACK],
  '12-apollo': [`loadTrips('/graphql', ${ROWS})`, MESSAGEPACK],
  '13-urql': [`loadTrips('/urql', ${ROWS})`, MESSAGEPACK],
  '15-connect': [`loadTrips(location.origin, ${ROWS})`, 'application/proto'],
  '15-connect/grpc-web.ts': [`Array.fromAsync(watchTrips(location.origin, ${ROWS}))`, 'application/grpc-web+proto'],
  '16-capnweb': [`loadTrips(location.origin.replace('http', 'ws'), ${ROWS})`, 'socket'],
};
/** Examples that `frameworks.test.ts` runs. */
const INSTALLED = ['17-angular', '18-next', '19-sveltekit', '20-nuxt', '25-tanstack-table', '26-ag-grid', '28-perspective'];

const trips = Array.from({ length: ROWS }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Inside the repository, so that the libraries of the examples resolve. */
let folder: string;
let browser: Browser;
let url: string;
/** Media types of the answers to calls. */
const types: (string | null)[] = [];

/** Name of the page of a call. */
const pageOf = (id: string): string => id.replace(/\W/g, '-');

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const handler = {
    trips: () => respond(request, { trips }),
    graphql: handleGraphql,
    urql: handleUrql,
    trpc: handleTrpc,
    'transit.v1.TripService': handleConnect,
  }[pathname.split('/', 2)[1]!];
  if (handler) {
    const response = await handler(request);
    types.push(response.headers.get('content-type'));
    return response;
  }
  const file = await readFile(join(folder, 'site', pathname)).catch(() => undefined);
  return new Response(file ?? null, { status: file ? 200 : 404, headers: { 'Content-Type': TYPES[extname(pathname)] ?? 'text/plain' } });
}

const listener = getRequestListener(answer);
const server = http.createServer((request, response) => void listener(request, response));
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  types.push('socket');
  serveCapnweb(socket as unknown as WebSocket);
});

beforeAll(async () => {
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'examples-'));
  const application = join(folder, 'application');
  await makeApplication(application);
  for (const [id, [call]] of Object.entries(CALLS)) {
    const [name, module = 'index.ts'] = id.split('/');
    await cp(join(EXAMPLES, name!), join(application, name!), { recursive: true });
    const code = `import * as example from './${name}/${module}';\nObject.assign(globalThis, example);\nglobalThis.outcome = () => ${call};\n`;
    await writeFile(join(application, `${pageOf(id)}.js`), code);
    await writeFile(join(application, `${pageOf(id)}.html`), `<!doctype html><script type="module" src="./${pageOf(id)}.js"></script>`);
  }
  await vite.build({
    configFile: false,
    root: application,
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir: join(folder, 'site'),
      target: 'es2022',
      rolldownOptions: { input: Object.keys(CALLS).map((id) => join(application, `${pageOf(id)}.html`)) },
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await chromium.launch(chromiumLaunch());
});

afterAll(async () => {
  await browser.close();
  sockets.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('examples with their own package.json', () => {
  it('tests every example that has a package.json', async () => {
    const named = await Promise.all(
      (await readdir(EXAMPLES)).map(async (name) =>
        (await readdir(join(EXAMPLES, name)).catch((): string[] => [])).includes('package.json') ? [name] : [],
      ),
    );
    expect(named.flat()).toEqual([...Object.keys(CALLS).filter((id) => !id.includes('/')), ...INSTALLED]);
  });

  it.each(Object.entries(CALLS))('%s declares the tested versions of its libraries, and loads and decodes its trips', async (id, [, type]) => {
    const name = id.split('/', 1)[0]!;
    const { dependencies } = JSON.parse(await readFile(join(EXAMPLES, name, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
    const majors = Object.keys(dependencies).map(
      (library) => lock.packages[library === 'unspool' ? '' : `node_modules/${library}`]?.version.split('.')[0],
    );
    expect(Object.values(dependencies).map((range) => /^\^(\d+)\./.exec(range)?.[1])).toEqual(majors);

    types.length = 0;
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${url}${pageOf(id)}.html`);
    await page.waitForFunction(() => 'outcome' in globalThis);
    expect(await page.evaluate(() => (globalThis as unknown as { outcome(): Promise<unknown> }).outcome())).toMatchObject(trips);
    expect(types).toEqual([type]);
    await page.close();
  });
});
