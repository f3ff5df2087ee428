import { defineConfig, type PreviewServer, type ViteDevServer } from 'vite';
import { WebSocketServer } from 'ws';
import { serve as serveSocket } from './server.ts';

/** Adds the example's server to the one that Vite starts for the page. */
function serve({ httpServer }: ViteDevServer | PreviewServer): void {
  const sockets = new WebSocketServer({ noServer: true });
  httpServer?.on('upgrade', (request, socket, head) => {
    if (request.url === '/socket') sockets.handleUpgrade(request, socket, head, (accepted) => serveSocket(accepted as unknown as WebSocket));
  });
}

export default defineConfig({ plugins: [{ name: 'server', configureServer: serve, configurePreviewServer: serve }] });
