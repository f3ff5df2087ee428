import type { Plugin } from 'vite';
import { type RawData, WebSocketServer } from 'ws';

/** Path of the sockets. */
const ECHO = '/echo-socket';

/**
 * Serves WebSockets that send each message back, except for these texts: `close` closes the socket, `close 1011 reason` with a code, `break` ends its connection,
 * `headers` is answered with the origin and the cookies of the request, and `flood 5000 10` with 5,000 messages
 * `{ "key": 0, "id": 0 }` of ten keys, as fast as possible.
 */
export function echoSockets(): Plugin {
  return {
    name: 'echo-sockets',
    configureServer(server) {
      const sockets = new WebSocketServer({ noServer: true });
      server.httpServer?.on('upgrade', (request, socket, head) => {
        if (request.url !== ECHO) return;
        sockets.handleUpgrade(request, socket, head, (opened) => {
          opened.on('message', (data: RawData, isBinary) => {
            const text = isBinary ? undefined : (data as Buffer).toString();
            if (text === 'close') opened.close(1000);
            else if (text?.startsWith('close ')) opened.close(Number(text.slice(6, 10)), text.slice(11));
            else if (text === 'break') opened.terminate();
            else if (text === 'headers') opened.send(JSON.stringify({ origin: request.headers.origin, cookie: request.headers.cookie }));
            else if (text?.startsWith('flood')) {
              const [, count, keys] = text.split(' ').map(Number);
              for (let id = 0; id < count!; id += 1) opened.send(JSON.stringify({ key: id % keys!, id }));
            } else opened.send(data, { binary: isBinary });
          });
        });
      });
    },
  };
}
