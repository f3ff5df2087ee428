import { getRequestListener } from '@hono/node-server';
import { defineConfig, type PreviewServer, type ViteDevServer } from 'vite';
import { handle, PATH } from './server.ts';

/** Adds the example's server to the one that Vite starts for the page. */
function serve({ middlewares }: ViteDevServer | PreviewServer): void {
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  middlewares.use((request, response, next) => {
    if (request.url?.startsWith(PATH)) void listener(request, response);
    else next();
  });
}

export default defineConfig({ plugins: [{ name: 'server', configureServer: serve, configurePreviewServer: serve }] });
