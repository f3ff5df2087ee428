import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { sourceUrls } from '../../../scripts/build/library.mjs';

/** The scripts of the library's workers and of the panel's. */
const ENTRIES = ['worker/entry.ts', 'devtools-extension/reading/worker/panel-worker.ts'];
const repository = join(import.meta.dirname, '../../..');

/** Stands for the module runner that the sources expect which Vitest serves: code that a worker loads when it needs it. */
const RUNNER = 'globalThis.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() };';

/** Builds the script of a worker with its sources, as one file. */
async function bundle(entry: string): Promise<string> {
  const build = await rolldown({ input: join(repository, entry), platform: 'browser', plugins: [sourceUrls()] });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, sourcemap: 'inline', banner: RUNNER });
  await build.close();
  return output[0].code;
}

/**
 * Serves the scripts of workers to tests in browsers as one file each. Vite alone serves their sources one by one, which are a hundred
 * requests or more for each worker that a test starts.
 */
export function serveWorkers(): Plugin {
  const built = new Map<string, Promise<string>>();
  return {
    name: 'serve-workers',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const entry = ENTRIES.find((path) => request.url?.startsWith(`/${path}?worker_file`));
        if (entry === undefined) return next();
        const script = built.get(entry) ?? bundle(entry);
        built.set(entry, script);
        script.then((code) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.setHeader('Cache-Control', 'max-age=3600');
          response.end(code);
        }, next);
      });
    },
  };
}
