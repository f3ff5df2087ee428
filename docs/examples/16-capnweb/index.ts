import { RpcSession } from 'capnweb';
import type { TripServer } from './server.ts';
import { MessagePackTransport } from './transport.ts';
import type { Trip } from './trip.ts';

export async function loadTrips(url: string, rows: number): Promise<Trip[]> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`${url} cannot be reached`)));
  });
  const server = new RpcSession<TripServer>(new MessagePackTransport(socket)).getRemoteMain();
  const trips = await server.loadTrips(rows);
  socket.close();
  return trips;
}
