/** Values and messages in a tab that another one covers. It draws no frames, and its timers are slowed down. */
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { findChromium } from '../../scripts/browsers.mjs';
import { serveAndCount } from '../../scripts/checks/count-scripts.mjs';
import { ROOT } from '../../scripts/run.mjs';

const COUNT = 5_000;
const KEYS = 10;

let folder: string;
let site: Awaited<ReturnType<typeof serveAndCount>>;
let sockets: WebSocketServer;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-hidden-'));
  await symlink(join(ROOT, 'dist'), join(folder, 'dist'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>hidden</title>');
  const rows = Array.from({ length: COUNT }, (_, id) => ({ id }));
  await writeFile(join(folder, 'rows.json'), JSON.stringify(rows));
  site = await serveAndCount(folder);
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  // A message asks for the others, and for the end.
  sockets.on('connection', (socket) =>
    socket.on('message', () => {
      for (let id = 0; id < COUNT; id += 1) socket.send(JSON.stringify({ id, key: id % KEYS }));
      socket.close(1000);
    }),
  );
  browser = await chromium.launch(findChromium()!.launch);
});

afterAll(async () => {
  await browser.close();
  await site.close();
  sockets.close();
  await rm(folder, { recursive: true, force: true });
});

/** A tab that Playwright does not know: to those that it knows, it shows itself as visible and focused. */
interface Tab {
  /** The value of an expression, or what its promise resolves to. */
  evaluate(expression: string): Promise<unknown>;
  /** Covers the tab with another one, and waits until it is hidden. */
  cover(): Promise<void>;
}

/** Answer to a command. */
interface Answer {
  result: { result: { value?: unknown }; exceptionDetails?: unknown };
  error?: unknown;
}

async function openTab(url: string): Promise<Tab> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext', { disposeOnDetach: true });
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const answers = new Map<number, (answer: Answer) => void>();
  let load = (): void => {};
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer & { id: number; method?: string };
    answers.get(answer.id)?.(answer);
    if (answer.method === 'Page.loadEventFired') load();
  });
  let id = 0;
  const send = async (method: string, params: object = {}): Promise<Answer['result']> => {
    id += 1;
    const answer = new Promise<Answer>((resolve) => answers.set(id, resolve));
    await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  // The load event of the blank page comes before the answer to a command that is sent after it.
  await evaluate(`new Promise((resolve) => document.readyState === 'complete' ? resolve() : addEventListener('load', resolve))`);
  await send('Page.enable');
  const loaded = new Promise<void>((resolve) => (load = resolve));
  await send('Page.navigate', { url });
  await loaded;
  return {
    evaluate,
    async cover() {
      const { targetId: other } = await session.send('Target.createTarget', { url: 'about:blank', browserContextId });
      await session.send('Target.activateTarget', { targetId: other });
      await evaluate(`new Promise((resolve) => {
        const look = () => { if (document.hidden) resolve(); };
        document.addEventListener('visibilitychange', look);
        look();
      })`);
    },
  };
}

/** Takes messages of a socket, the first ones once the loop listens. Returns their number, the ends, and the counts. */
const take = (socket: string, options: string): string => `(async () => {
  const [{ createDecoder }, { WorkerSocket }] = await Promise.all([import('/dist/index.js'), import('/dist/socket.js')]);
  const socket = ${socket};
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const counts = { waiting: 0 };
  let highest = 0;
  const ids = [];
  let batches = 0;
  socket.addEventListener('message', () => { highest = Math.max(highest, counts.waiting); });
  const messages = createDecoder().messages(socket, { batch: true, counts, ...${options} });
  socket.send('go');
  for await (const batch of messages) {
    batches += 1;
    for (const { id } of batch) ids.push(id);
  }
  return { ids: ids.length, inOrder: ids.every((id, at) => at === 0 || id > ids[at - 1]), last: ids.at(-1), dropped: counts.dropped, highest, frames: globalThis.frames };
})()`;

it('a hidden tab gets whole values and bounded batches, and the messages of a worker, without a frame', async () => {
  const tab = await openTab(`${site.url}index.html`);
  await tab.cover();
  await tab.evaluate(`(() => { globalThis.frames = 0; const next = () => requestAnimationFrame(() => { frames += 1; next(); }); next(); })()`);

  const value = await tab.evaluate(`(async () => {
    const { createDecoder } = await import('/dist/index.js');
    let last;
    for await (const value of createDecoder().partial(await fetch('/rows.json'))) last = value;
    return { rows: last.length, frames: globalThis.frames };
  })()`);
  expect(value).toEqual({ rows: COUNT, frames: 0 });

  const { port } = sockets.address() as AddressInfo;
  const url = JSON.stringify(`ws://127.0.0.1:${port}`);
  const whole = { ids: COUNT, inOrder: true, last: COUNT - 1, dropped: 0, frames: 0 };
  expect(await tab.evaluate(take(`new WebSocket(${url})`, `{ limit: ${COUNT} }`))).toEqual({ ...whole, highest: expect.any(Number) });
  expect(await tab.evaluate(take(`new WorkerSocket(${url})`, '{}'))).toEqual({ ...whole, highest: 0 });
  const latest = (await tab.evaluate(take(`new WebSocket(${url})`, "{ policy: 'latest', key: 'key' }"))) as {
    ids: number;
    dropped: number;
    highest: number;
  };
  expect(latest).toMatchObject({ inOrder: true, last: COUNT - 1, frames: 0 });
  expect(latest.highest).toBeLessThanOrEqual(KEYS);
  expect(latest.ids + latest.dropped).toBe(COUNT);
});
