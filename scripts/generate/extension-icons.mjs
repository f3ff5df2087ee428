#!/usr/bin/env node
/**
 * Draws the extension's icons into devtools-extension/public/icons: a spool with a loose thread, on a rounded square.
 * Run it after changing the drawing; the files are committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { ROOT } from '../run.mjs';

/** Sizes in pixels that the stores and DevTools require. */
const SIZES = [16, 32, 48, 128];
/** Samples per pixel in each direction. */
const SAMPLES = 4;
const GROUND = [70, 83, 212];
const THREAD = [255, 255, 255];

/**
 * Colour at a position from 0 to 1 in both directions; undefined outside the icon.
 *
 * @param {number} x
 * @param {number} y
 */
function colorAt(x, y) {
  const corner = 0.22;
  const dx = Math.max(corner - x, x - 1 + corner, 0);
  const dy = Math.max(corner - y, y - 1 + corner, 0);
  if (Math.hypot(dx, dy) > corner) return undefined;
  const [cx, cy] = [0.46, 0.44];
  const distance = Math.hypot(x - cx, y - cy);
  // Two turns around the centre, and a thread that leaves to the right.
  const isTurn = Math.abs(distance - 0.27) < 0.05 || distance < 0.1;
  const isEnd = y > cy + 0.22 && y < cy + 0.32 && x >= cx && x < 0.86;
  return isTurn || isEnd ? THREAD : GROUND;
}

/** @param {number} size */
function draw(size) {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const sum = new Float64Array(4);
      for (let i = 0; i < SAMPLES * SAMPLES; i += 1) {
        const color = colorAt((x + ((i % SAMPLES) + 0.5) / SAMPLES) / size, (y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES) / size);
        if (color) for (const [c, part] of [...color, 255].entries()) sum[c] = (sum[c] ?? 0) + part;
      }
      const [, , , alpha = 0] = sum;
      const covered = alpha / 255;
      const at = y * (size * 4 + 1) + 1 + x * 4;
      for (let c = 0; c < 3; c += 1) rows[at + c] = covered === 0 ? 0 : Math.round((sum[c] ?? 0) / covered);
      rows[at + 3] = Math.round(alpha / (SAMPLES * SAMPLES));
    }
  }
  return png(size, rows);
}

/**
 * Encodes a PNG with 8 bits per channel and alpha (https://www.w3.org/TR/png-3/).
 *
 * @param {number} size
 * @param {Buffer} rows
 */
function png(size, rows) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const bytes = Buffer.alloc(body.length + 8);
    bytes.writeUInt32BE(data.length, 0);
    bytes.set(body, 4);
    bytes.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const folder = join(ROOT, 'devtools-extension/public/icons');
mkdirSync(folder, { recursive: true });
for (const size of SIZES) writeFileSync(join(folder, `icon-${size}.png`), draw(size));
