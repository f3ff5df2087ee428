import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Paths of WebKitGTK's programs. */
export interface WebKitGtk {
  /** MiniBrowser. */
  path: string;
  /** WebKitWebDriver. */
  driver: string;
  /** Xvfb. */
  display: string;
}

/** A window of WebKitGTK's MiniBrowser, on its own display, driven through WebKitWebDriver. */
export class WebKitSession {
  readonly #programs: WebKitGtk;
  readonly #children: ChildProcess[] = [];
  #session: Promise<string> | undefined;

  constructor(programs: WebKitGtk) {
    this.#programs = programs;
  }

  /** Opens a page and resolves when it has loaded. */
  async open(url: string): Promise<void> {
    this.#session ??= this.#start();
    await send('POST', `${await this.#session}/url`, { url });
  }

  /** Runs the body of a function in the page. It calls its last argument with the result. */
  async run<T>(script: string, args: readonly unknown[]): Promise<T> {
    return await send('POST', `${await this.#session}/execute/async`, { script, args });
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    if (session) await send('DELETE', session).catch(() => undefined);
    for (const child of this.#children.splice(0).reverse()) child.kill();
  }

  /** Starts the display, the driver and the browser. Returns the address of the WebDriver session. */
  async #start(): Promise<string> {
    const { path, driver, display } = this.#programs;
    const port = await freePort();
    const screen = await this.#startDisplay(display);
    this.#children.push(spawn(driver, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: `:${screen}` } }));
    const base = `http://127.0.0.1:${port}`;
    await until(() => send('GET', `${base}/status`));
    const browser = { binary: path, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browser } };
    const { sessionId } = await send<{ sessionId: string }>('POST', `${base}/session`, { capabilities });
    return `${base}/session/${sessionId}`;
  }

  /** Starts Xvfb on the first free display, whose number it writes to a file descriptor. */
  async #startDisplay(command: string): Promise<string> {
    const child = spawn(command, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
    return await new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`${command} ended before it had a display`)));
      child.stdio[3]?.once('data', (data: Buffer) => settle(data.toString().trim()));
    });
  }
}

/** Sends a WebDriver command and returns its `value`. */
async function send<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T };
  if (!response.ok) throw new Error(`WebKitWebDriver: ${JSON.stringify(value)}`);
  return value;
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 1000; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => {
    server.listen(0, '127.0.0.1', settle);
  });
  const address = server.address();
  await new Promise((settle) => {
    server.close(settle);
  });
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
