import { createServer } from 'node:http';

/**
 * Serves a JSON payload of trips of any length: those of one payload, over and over.
 *
 * @param {Buffer} payload `{"trips":[…]}`
 */
export async function serveEndless(payload) {
  const rows = payload.subarray(payload.indexOf('[') + 1, payload.lastIndexOf(']'));
  const state = { written: 0 };
  const server = createServer((request, response) => {
    const bytes = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('bytes'));
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    state.written = 0;
    const write = () => {
      while (state.written < bytes) {
        const piece = state.written === 0 ? Buffer.concat([Buffer.from('{"trips":['), rows]) : Buffer.concat([Buffer.from(','), rows]);
        state.written += piece.length;
        if (!response.write(piece)) return;
      }
      response.off('drain', write);
      response.end(']}');
    };
    response.on('drain', write);
    write();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: (/** @type {number} */ bytes) => `http://127.0.0.1:${port}/?bytes=${bytes}`,
    state,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
