export { WorkerSocket, type WorkerSocketOptions } from './socket/worker-socket.ts';
