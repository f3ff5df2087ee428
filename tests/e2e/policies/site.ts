import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.msgpack': 'application/vnd.msgpack',
};

/** Serves a folder, with a policy for its pages and another for everything else; what is under `api` are payloads. */
export async function servePolicies(root: string, policies: { pages: string; others: string }): Promise<{ url: string; close: () => Promise<void> }> {
  const answer = async (path: string, response: http.ServerResponse): Promise<void> => {
    const name = path.startsWith('/api/') ? basename(path) : path.slice(1);
    const file = await readFile(join(root, name)).catch(() => undefined);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    response.setHeader('Content-Security-Policy', type === 'text/html' ? policies.pages : policies.others);
    response.writeHead(file ? 200 : 404, { 'Content-Type': type, ...(file && { 'Content-Length': file.length }) });
    response.end(file);
  };
  const server = http.createServer((request, response) => {
    answer(new URL(request.url!, 'http://localhost').pathname, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
