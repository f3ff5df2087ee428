import type { Plugin } from 'vite';

/** Path below which a service worker answers. */
export const COPIED = '/__copied/';

/** Answers every request with the text and the headers in the query, as a service worker does that copies the headers of another response. */
const WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { searchParams } = new URL(event.request.url);
  if (searchParams.has('text')) event.respondWith(new Response(searchParams.get('text'), { headers: JSON.parse(searchParams.get('headers')) }));
});
`;

/** Serves the script of that service worker, and an empty page that it controls. */
export function serveCopyingWorker(): Plugin {
  return {
    name: 'serve-copying-worker',
    configureServer(server) {
      server.middlewares.use(COPIED, (request, response) => {
        response.setHeader('Content-Type', request.url === '/worker.js' ? 'text/javascript' : 'text/html');
        response.end(request.url === '/worker.js' ? WORKER : '<!doctype html>');
      });
    },
  };
}
