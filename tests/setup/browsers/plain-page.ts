import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { findChromium } from '../../../scripts/browsers.mjs';
import { PATIENCE_MS } from './patience.ts';

/**
 * A page of a Chromium whose network no debugger observes: a page that Playwright drives freezes for about 40 ms after each body of
 * 10 MB, since the events of the protocol's Network domain copy it.
 */
export interface PlainPage {
  /** Evaluates an expression in the page, and returns its value once it is there. */
  evaluate<T>(expression: string): Promise<T>;
  /** Writes a picture of the page, or of a part of it in CSS pixels from its top left corner. */
  screenshot(file: string, clip?: { x: number; y: number; width: number; height: number }): Promise<void>;
  close(): Promise<void>;
}

/** Opens an address in a new Chromium with an empty profile, in a window of a size. */
export async function openPlainPage(address: string, { width, height }: { width: number; height: number }): Promise<PlainPage> {
  const profile = await mkdtemp(join(tmpdir(), 'unspool-plain-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--remote-debugging-port=0',
    `--window-size=${width},${height}`,
    `--user-data-dir=${profile}`,
  ];
  const browser = spawn(findChromium()!.path, [...flags, address], { stdio: 'ignore' });
  const socket = new WebSocket(await addressOfPage(profile, address));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  const send = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      socket.on('message', function read(data: Buffer) {
        const answer = JSON.parse(data.toString()) as { id?: number; error?: { message: string }; result?: Record<string, unknown> };
        if (answer.id !== id) return;
        socket.off('message', read);
        if (answer.result) resolve(answer.result);
        else reject(new Error(`${method}: ${answer.error?.message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  // Pages keep room for scrollbars, which pictures of a whole page do not have.
  await send('Emulation.setScrollbarsHidden', { hidden: true });
  return {
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(`The page could not evaluate ${expression}`);
      return (result as { value: T }).value;
    },
    async screenshot(file, clip) {
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true, ...(clip && { clip: { ...clip, scale: 1 } }) });
      await writeFile(file, Buffer.from(data as string, 'base64'));
    },
    async close() {
      socket.terminate();
      await ended(browser);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Address of the socket of a page, which the browser tells once it has started. */
async function addressOfPage(profile: string, address: string): Promise<string> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n');
    const pages = port ? ((await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { url: string; webSocketDebuggerUrl: string }[]) : [];
    const page = pages.find(({ url }) => url === address);
    if (page) return page.webSocketDebuggerUrl;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Chromium did not start');
}

async function ended(browser: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => browser.once('exit', resolve));
  browser.kill();
  await exit;
}
