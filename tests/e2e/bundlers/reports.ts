import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A violation of a Content Security Policy. */
export interface Violation {
  directive: string;
  blocked: string;
}

/** Collects violations of pages and workers, in order, through `report-uri`. */
export async function collectReports(): Promise<{ url: string; violations: Violation[]; close: () => Promise<void> }> {
  const violations: Violation[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'csp-report': report } = JSON.parse(Buffer.concat(chunks).toString()) as { 'csp-report': Record<string, string> };
      violations.push({ directive: report['effective-directive']!, blocked: report['blocked-uri']! });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    violations,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
