import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from '../browsers/patience.ts';

/** A Firefox whose own code and DevTools a test drives by Marionette (https://firefox-source-docs.mozilla.org/testing/marionette/). */
export interface FirefoxPanel {
  /** Opens an address in the tab. */
  open: (url: string) => Promise<void>;
  /** Runs the body of a function in the page, and returns its result. */
  inPage: <T>(script: string) => Promise<T>;
  /** Opens the DevTools of the tab, and the panel in it. */
  openPanel: (title: string) => Promise<void>;
  /** Runs the body of a function with the `document` of the panel, and returns its result. */
  inPanel: <T>(script: string) => Promise<T>;
  close: () => Promise<void>;
}

/** Opens DevTools for the tab, and the panel with a title. Its document is in another process, which runs frame scripts. */
const OPEN_PANEL = `
  const [title, done] = arguments;
  (async () => {
    const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
    const { gDevTools } = require('devtools/client/framework/devtools');
    const toolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, { toolId: 'webconsole' });
    const until = async (find) => {
      for (;;) {
        const found = find();
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const { id } = await until(() => [...toolbox.additionalToolDefinitions.values()].find(({ label }) => label === title));
    await toolbox.selectTool(id);
    const frame = await until(() => toolbox.doc.getElementById('toolbox-panel-iframe-' + id));
    gBrowser.unspoolPanel = await until(() => frame.contentDocument?.querySelector('browser'));
    await until(() => gBrowser.unspoolPanel.currentURI?.spec.endsWith('/panel.html'));
  })().then(() => done(''), (error) => done(String(error)));
`;

/** Runs the body of a function with the \`document\` of the panel. */
const IN_PANEL = `
  const [source, done] = arguments;
  const { messageManager } = gBrowser.unspoolPanel;
  const listener = ({ data }) => {
    messageManager.removeMessageListener('unspool', listener);
    done(data);
  };
  messageManager.addMessageListener('unspool', listener);
  const script = '(async () => (function (document) {' + source + '})(content.document))()'
    + '.then((value) => sendAsyncMessage("unspool", { value }), (error) => sendAsyncMessage("unspool", { error: String(error) }))';
  messageManager.loadFrameScript('data:application/javascript;charset=utf-8,' + encodeURIComponent(script), false);
`;

export async function startFirefox(firefox: string, extension: string): Promise<FirefoxPanel> {
  const profile = mkdtempSync(join(tmpdir(), 'unspool-firefox-'));
  const preferences = { 'marionette.port': 0, 'xpinstall.signatures.required': false, 'browser.shell.checkDefaultBrowser': false };
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref("${name}", ${value});\n`)
      .join(''),
  );
  const child = spawn(firefox, ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile, 'about:blank'], {
    stdio: 'ignore',
  });
  const client = await Marionette.connect(await portOf(profile), child);
  await client.send('WebDriver:NewSession', {});
  await client.send('WebDriver:SetTimeouts', { script: PATIENCE_MS, pageLoad: PATIENCE_MS });
  await client.send('Addon:Install', { path: extension, temporary: true });
  const inContext = async <T>(context: 'chrome' | 'content', command: string, parameters: object): Promise<T> => {
    await client.send('Marionette:SetContext', { value: context });
    const { value } = (await client.send(command, parameters)) as { value: T };
    return value;
  };
  return {
    async open(url) {
      await client.send('Marionette:SetContext', { value: 'content' });
      await client.send('WebDriver:Navigate', { url });
    },
    inPage: (script) => inContext('content', 'WebDriver:ExecuteScript', { script, args: [], newSandbox: true }),
    async openPanel(title) {
      const problem = await inContext<string>('chrome', 'WebDriver:ExecuteAsyncScript', { script: OPEN_PANEL, args: [title], newSandbox: false });
      if (problem !== '') throw new Error(problem);
    },
    async inPanel<T>(script: string) {
      const answer = await inContext<{ value?: T; error?: string }>('chrome', 'WebDriver:ExecuteAsyncScript', {
        script: IN_PANEL,
        args: [script],
        newSandbox: false,
      });
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as T;
    },
    async close() {
      client.end();
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Port that Firefox writes to its profile. */
async function portOf(profile: string): Promise<number> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const text = await readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '');
    if (Number(text) > 0) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Firefox did not start');
}

type Answer = [type: 1, id: number, error: { message: string } | null, result: unknown];

/** Commands of Marionette: `length:json`, with JSON of `[0, id, command, parameters]` and `[1, id, error, result]`. */
class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #received = Buffer.alloc(0);
  #next = 1;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
  }

  static connect(port: number, child: ChildProcess): Promise<Marionette> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Marionette(socket)));
      socket.on('error', reject);
      child.on('exit', () => socket.destroy());
    });
  }

  send(command: string, parameters: object): Promise<unknown> {
    const id = this.#next++;
    const text = JSON.stringify([0, id, command, parameters]);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ([, , error, result]) => (error ? reject(new Error(`${command}: ${error.message}`)) : resolve(result)));
      this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const length = Number(this.#received.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || this.#received.length < colon + 1 + length) return;
      const message = JSON.parse(this.#received.subarray(colon + 1, colon + 1 + length).toString()) as Answer | object;
      this.#received = this.#received.subarray(colon + 1 + length);
      if (Array.isArray(message)) this.#waiting.get((message as Answer)[1])?.(message as Answer);
    }
  }
}
