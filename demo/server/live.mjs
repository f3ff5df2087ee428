import { WebSocketServer } from 'ws';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';
import { recordedAnswer } from './data/answer.mjs';
import { itinerary } from './data/itinerary.mjs';
import { ticks } from './data/ticks.mjs';
import { integer } from './payload-request.mjs';

const MAX_TICKS = 10_000;
const MAX_DAYS = 1_000;
const MAX_DELTAS = 100_000;
const MAX_SPEED = 1_000;
/** Characters of a piece of the itinerary. */
const DELTA = 16;
/** Milliseconds between two sends. */
const TICK_MS = 10;
/** Bytes that may wait for a slow client before ticks are skipped. */
const BUFFERED = 1 << 20;

/**
 * Answers WebSockets at `/ticks?rate=`, each with that many ticks a second, as MessagePack.
 *
 * @param {import('node:http').Server} server
 * @returns {() => void} ends the connections
 */
export function serveTicks(server) {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const rate = Number(searchParams.get('rate') ?? 1_000);
    if (pathname !== '/ticks' || !(rate >= 1 && rate <= MAX_TICKS)) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else sockets.handleUpgrade(request, socket, head, (opened) => sendTicks(opened, rate));
  });
  return () => {
    for (const client of sockets.clients) client.terminate();
  };
}

/**
 * @param {import('ws').WebSocket} socket
 * @param {number} rate
 */
function sendTicks(socket, rate) {
  const source = ticks(1);
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1_000) * rate;
    for (; sent < due; sent += 1) {
      if (socket.bufferedAmount < BUFFERED) socket.send(encodeSync(messagepack, source.next().value));
    }
  }, TICK_MS);
  socket.on('close', () => clearInterval(timer));
  socket.on('error', () => socket.terminate());
}

/**
 * Sends an itinerary of `days` days as server-sent events with pieces of its JSON, `rate` of them a second.
 *
 * @param {URLSearchParams} query
 * @param {import('node:http').ServerResponse} response
 */
export function sendItinerary(query, response) {
  const days = integer('days', query.get('days') ?? '10', 1, MAX_DAYS);
  const rate = integer('rate', query.get('rate') ?? '500', 1, MAX_DELTAS);
  const text = JSON.stringify(itinerary(days));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const start = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1_000) * rate;
    for (; at < text.length && at / DELTA < due; at += DELTA) {
      response.write(`id: ${at}\ndata: ${JSON.stringify({ delta: text.slice(at, at + DELTA) })}\n\n`);
    }
    if (at < text.length) return;
    clearInterval(timer);
    response.end('data: [DONE]\n\n');
  }, TICK_MS);
  response.once('close', () => clearInterval(timer));
}

/**
 * Sends an answer of a language model as it was recorded, `speed` times as fast.
 *
 * @param {URLSearchParams} query
 * @param {import('node:http').ServerResponse} response
 */
export function sendAnswer(query, response) {
  const speed = integer('speed', query.get('speed') ?? '1', 1, MAX_SPEED);
  const events = recordedAnswer();
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const start = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = (performance.now() - start) * speed;
    let text = '';
    for (; next < events.length && events[next].at <= due; next += 1) text += `data: ${events[next].data}\n\n`;
    if (text) response.write(text);
    if (next < events.length) return;
    clearInterval(timer);
    response.end('data: [DONE]\n\n');
  }, TICK_MS);
  response.once('close', () => clearInterval(timer));
}
