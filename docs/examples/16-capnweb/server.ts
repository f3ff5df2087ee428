import { RpcSession, RpcTarget } from 'capnweb';
import { MessagePackTransport } from './transport.ts';
import type { Trip } from './trip.ts';

export class TripServer extends RpcTarget {
  loadTrips(rows: number): Trip[] {
    return Array.from({ length: rows }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));
  }
}

/** Serves a socket: `new WebSocketServer({ port: 8080 }).on('connection', serve)` of the package ws. */
export function serve(socket: WebSocket): void {
  // The session lives as long as its socket.
  void new RpcSession(new MessagePackTransport(socket), new TripServer());
}
