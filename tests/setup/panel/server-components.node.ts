import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { REPOSITORY } from '../sources/imports.ts';

/** A page of server components with a part that arrives later, a component of the client, long text, bytes and a hint. */
const SERVER = `
import { createElement, Suspense } from 'react';
import { preload } from 'react-dom';
import { registerClientReference, renderToReadableStream } from 'react-server-dom-webpack/server.edge';

const Counter = registerClientReference({}, 'counter', 'Counter');
const modules = { counter: { id: './counter.js', chunks: [], name: 'Counter' } };

async function Trips() {
  const trips = await new Promise((resolve) => setImmediate(() => resolve(['Oak St', 'Elm St'])));
  return createElement('ol', null, trips.map((trip) => createElement('li', { key: trip }, trip)));
}

function Bike({ id }) {
  preload('/bike.woff2', { as: 'font' });
  return createElement('main', { id: 'bike' },
    createElement('h1', null, 'Bike ' + id),
    createElement(Suspense, { fallback: createElement('p', null, 'Trips are on their way') }, createElement(Trips)),
    createElement(Counter, { start: 3n, since: new Date(0), code: Uint8Array.of(1, 2, 3), manual: 'Größe: '.repeat(300) }));
}

export const render = (id) => renderToReadableStream(createElement(Bike, { id }), modules);
`;

/** Bundles server components as frameworks do, with React for servers. Returns what renders a page of them as a payload. */
export async function buildServerComponents(): Promise<(id: number) => ReadableStream<Uint8Array>> {
  const folder = join(REPOSITORY, `node_modules/.generated/server-components-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'server.js'), SERVER);
    await esbuild.build({
      absWorkingDir: folder,
      entryPoints: ['server.js'],
      outfile: join(folder, 'server.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      conditions: ['react-server'],
      logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const { render } = createRequire(import.meta.url)(join(folder, 'server.cjs')) as { render: (id: number) => ReadableStream<Uint8Array> };
    return render;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
