import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { findStaticFile } from '../../../demo/server/static-files.mjs';

/** The files of a folder below a path, where a page's address has no ending, as hosts of static sites serve them. */
export interface SiteServer {
  readonly url: string;
  close(): Promise<void>;
}

/** `base` begins and ends with a slash. */
export async function serveSite(folder: string, base: string): Promise<SiteServer> {
  const server = http.createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url!, 'http://site');
      const path = pathname.startsWith(base) ? pathname.slice(base.length - 1) : '/404';
      const found = (await findStaticFile(folder, path)) ?? (await findStaticFile(folder, `${path}.html`));
      const file = found ?? (await findStaticFile(folder, '/404.html'))!;
      response.writeHead(found ? 200 : 404, { 'Content-Type': file.mediaType, 'Content-Length': file.bytes });
      file.open().pipe(response);
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
