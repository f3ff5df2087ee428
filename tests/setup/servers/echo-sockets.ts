import type { Plugin } from 'vite';
import { type RawData, WebSocketServer } from 'ws';

/** Path of the sockets. */
const ECHO = '/echo-socket';

/** Serves WebSockets that send each message back; the text `close` closes the socket, and `break` ends its connection. */
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
            else if (text === 'break') opened.terminate();
            else opened.send(data, { binary: isBinary });
          });
        });
      });
    },
  };
}
