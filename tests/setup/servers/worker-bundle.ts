import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { sourceUrls } from '../../../scripts/build/library.mjs';

const ENTRY = 'worker/entry.ts';
const repository = join(import.meta.dirname, '../../..');

/** Builds the worker's script with its sources, as one file. */
async function bundle(): Promise<string> {
  const build = await rolldown({ input: join(repository, ENTRY), platform: 'browser', plugins: [sourceUrls()] });
  const { output } = await build.generate({ format: 'esm', sourcemap: 'inline' });
  await build.close();
  return output[0].code;
}

/**
 * Serves the worker's script to tests in browsers as one file, as the package has it. Vite alone serves its sources one by
 * one, which are a hundred requests for each worker that a test starts.
 */
export function serveWorker(): Plugin {
  let built: Promise<string> | undefined;
  return {
    name: 'serve-worker',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.startsWith(`/${ENTRY}?worker_file`)) return next();
        built ??= bundle();
        built.then((code) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.setHeader('Cache-Control', 'max-age=3600');
          response.end(code);
        }, next);
      });
    },
  };
}
