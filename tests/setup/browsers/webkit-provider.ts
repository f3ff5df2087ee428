import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProviderOption, TestProject } from 'vitest/node';
import { type WebKitGtk, WebKitSession } from './webkit-session.ts';

/**
 * A Vitest browser provider that opens the test page in WebKitGTK's MiniBrowser, on its own display, through
 * WebKitWebDriver.
 *
 * Its name is `preview`, so that Vitest uses in-page user events and sends no viewport or screenshot commands, which this
 * WebDriver does not support.
 */
export function webkitGtk(programs: WebKitGtk): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'preview',
    providerFactory(project: TestProject) {
      project.browser?.registerCommand('__vitest_viewport' as never, (() => Promise.resolve()) as never);
      return new WebKitGtkProvider(programs) as never;
    },
  });
}

const previewRoot = resolve(dirname(fileURLToPath(import.meta.resolve('@vitest/browser-preview'))));

class WebKitGtkProvider {
  readonly name = 'preview';
  readonly supportsParallelism = false;
  readonly distRoot = previewRoot;
  readonly initScripts = [resolve(previewRoot, 'locators.js')];
  readonly #session: WebKitSession;

  constructor(programs: WebKitGtk) {
    this.#session = new WebKitSession(programs);
  }

  getCommandsContext(): object {
    return {};
  }

  async openPage(_sessionId: string, url: string): Promise<void> {
    await this.#session.open(url);
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
