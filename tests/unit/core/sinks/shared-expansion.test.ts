import { Encoder as CborEncoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import { decodeSync } from '../../../../main/sync.ts';
import bsonWriter from '../../../../core/formats/bson/writer.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { SharedExpansion } from '../../../../core/sinks/shared-expansion.ts';

/** List that contains the next list twice: as a tree, it doubles with each level. */
function doubled(levels: number): unknown {
  let value: unknown = { leaf: 'x' };
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
}

const writers = {
  cbor: (value: unknown) => new Uint8Array(new CborEncoder({ structuredClone: true, useRecords: false }).encode(value)),
  messagepack: (value: unknown) => new Uint8Array(new Packr({ structuredClone: true, useRecords: false }).pack(value)),
};
const sources = ['cbor', 'messagepack'] as const;
const targets = ['json', 'messagepack', 'cbor', 'bson', 'sia'] as const;

const encoder = createEncoder();
const decoder = createServiceWorkerDecoder({
  formats: { cbor, messagepack, json },
  encoders: { cbor: cborWriter, messagepack: messagepackWriter, bson: bsonWriter },
});
const request = new Request('https://example.org/api/graph');
const mediaTypes = { cbor: 'application/cbor', messagepack: 'application/vnd.msgpack' };

async function transcode(bytes: Uint8Array, from: (typeof sources)[number], to: (typeof targets)[number], options = {}): Promise<Uint8Array> {
  const stream = encoder.transcode(bytes.slice(), { from: { format: from }, to: { format: to, options } });
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Answer of a service worker, or its error. */
async function respond(bytes: Uint8Array, from: (typeof sources)[number], respondWith: 'json' | 'messagepack' | 'cbor' | 'bson'): Promise<Response> {
  const response = new Response(bytes.slice(), { headers: { 'Content-Type': mediaTypes[from] } });
  return await decoder.respond(request, response, { respondWith });
}

describe.each(sources)('value of %s with shared parts, nested 40 deep', (from) => {
  const bytes = writers[from]({ a: [1, doubled(40)] });

  it('stays small as a graph', () => {
    expect(bytes.length).toBeLessThan(600);
    const { a } = decodeSync<{ a: [number, [unknown, unknown]] }>(from === 'cbor' ? cbor : messagepack, bytes);
    expect(a[1][0]).toBe(a[1][1]);
  });

  it.each(targets)('causes a LimitError with the path if written as %s', async (to) => {
    const failed = transcode(bytes, from, to);
    await expect(failed).rejects.toMatchObject({ name: 'LimitError', limit: 'expansion', format: from });
    const { path } = (await failed.catch((error: unknown) => error)) as { path: unknown[] };
    expect(path.slice(0, 4)).toEqual(['a', 1, 0, 0]);
  });

  it('round-trips as references if requested', async () => {
    const written = await transcode(bytes, from, 'cbor', { references: true });
    expect(written.length).toBeLessThan(600);
  });

  it.each(['json', from === 'cbor' ? 'messagepack' : 'cbor', 'bson'] as const)('causes an error answer of a service worker as %s', async (form) => {
    const answer = await respond(bytes, from, form).then((response) => response.text());
    expect(answer).toContain('expansion limit exceeded');
    expect(answer).toContain('$.a[1][0][0]');
    if (form === 'json') expect(answer).toMatch(/byte \d+/);
  });
});

describe('value with moderately shared parts', () => {
  const station = { id: 7, name: 'größer', at: [1.5, 2.5] };
  const value = { stations: [station, station], trips: Array.from({ length: 1_500 }, (_, id) => ({ id, from: station, to: station })) };

  it.each(sources)('repeats them as JSON.stringify does, from %s', async (from) => {
    const bytes = writers[from](value);
    const text = JSON.stringify(value);
    expect(new TextDecoder().decode(await transcode(bytes, from, 'json'))).toBe(text);
    expect(await respond(bytes, from, 'json').then((response) => response.text())).toBe(text);
    const other = from === 'cbor' ? 'messagepack' : 'cbor';
    const again = decodeSync(other === 'cbor' ? cbor : messagepack, await transcode(bytes, from, other));
    expect(again).toEqual(value);
  });
});

describe.each(sources)('service worker, for %s records with long keys', (from) => {
  const records = (length: number, count: number): Uint8Array => {
    const list = Array.from({ length: count }, (_, id) => ({ ['k'.repeat(length)]: id % 2 }));
    return new Uint8Array(from === 'cbor' ? new CborEncoder({ useRecords: true }).encode(list) : new Packr().pack(list));
  };

  it('rejects them if it would repeat the keys too often', async () => {
    const answer = await respond(records(100_000, 5_000), from, 'json').then((response) => response.text());
    expect(answer).toContain('expansion limit exceeded');
  });

  it('writes them if the keys repeat less often', async () => {
    for (const [length, count] of [
      [100_000, 50],
      [250, 20_000],
    ] as const) {
      const text = await respond(records(length, count), from, 'json').then((response) => response.text());
      expect(JSON.parse(text)).toHaveLength(count);
    }
  });
});

describe('expansion of shared values', () => {
  const limits = { ...resolveLimits(), expansion: 1 };

  function spent(value: unknown): number {
    // The first 100,000 values are free.
    for (let bytes = 0; bytes < 100; bytes += 1) {
      const expansion = new SharedExpansion({ ...limits, expansion: 1 });
      expansion.receive(bytes);
      try {
        expansion.count(value);
        return bytes + 100_000;
      } catch {
        // One more throws.
      }
    }
    return Infinity;
  }

  it('counts values, and a sixteenth of a value for each character and byte', () => {
    // 1,600,000 characters count as the 100,000 free values.
    const text = 'x'.repeat(1_600_000);
    for (const [shared, values] of [
      [[text], 2],
      [{ 'sixteen letters!': text }, 3],
      [new Map([['sixteen letters!', text]]), 4],
      [new Set([text]), 2],
      [new Uint8Array(text.length), 1],
      [new ArrayBuffer(text.length), 1],
      [Object.assign(new Error(text), { name: 'sixteen letters!', cause: {} }), 5],
      [new RegExp(text), 1],
      [[[[text]], []], 5],
    ] as const) {
      expect(spent([shared, shared])).toBe(100_000 + values);
      expect(spent([shared])).toBe(100_000);
    }
  });

  it('accumulates from one value to the next', () => {
    const shared = [new Uint8Array(640_000)];
    const expansion = new SharedExpansion(limits);
    for (let time = 0; time < 3; time += 1) expansion.count([time, shared]);
    expect(() => expansion.count({ 'at last': [3, shared] })).toThrow('$["at last"][1]');
  });

  it('reports the path of a shared value through Maps, Sets and error causes', () => {
    const shared = new Uint8Array(960_000);
    const value = new Map<unknown, unknown>([
      [1, 2],
      ['key', new Set([5, Object.assign(new Error('x'), { cause: [shared, shared, shared] })])],
    ]);
    expect(() => new SharedExpansion(limits).count(value)).toThrow('$.key[1].cause[2]');
  });

  it('leaves cycles to the writer', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, [cycle, cycle]);
    expect(() => new SharedExpansion(limits).count(cycle)).not.toThrow();
  });
});
