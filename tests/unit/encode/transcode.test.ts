import { encode as encodeCbor } from 'cbor-x';
import { Packr, unpack } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../main/encode.ts';

const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -1 - id }, none: null }));
const nested = { meta: { count: 3, é: '😀' }, rows: rows.slice(0, 5_000), empty: [], deep: [[[{ a: [] }]]] };

const packr = new Packr({ useRecords: false });
const written: Record<string, (value: unknown) => Uint8Array<ArrayBuffer>> = {
  json: (value) => new TextEncoder().encode(JSON.stringify(value)),
  messagepack: (value) => Uint8Array.from(packr.pack(value)),
  cbor: (value) => Uint8Array.from(encodeCbor(value)),
};

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return Buffer.concat(chunks);
}

/** The bytes as a body that comes in chunks of a size. */
function body(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

describe('transcode', () => {
  const encoder = createEncoder();

  describe.each(['json', 'messagepack', 'cbor'] as const)('from %s', (from) => {
    it.each(['json', 'messagepack'] as const)('gives the bytes of encoding the decoded value as %s', async (to) => {
      for (const value of [rows, nested, [], {}, [1, [rows.slice(0, 3)]], 'text', 3]) {
        const bytes = written[from]!(value);
        const expected = Buffer.from(await encoder.encode(value, { format: to }));
        for (const source of [bytes, body(bytes, 10_007), new Blob([bytes])]) {
          const given = await readAll(encoder.transcode(source, { from: { format: from }, to: { format: to } }));
          expect(Buffer.compare(given, expected)).toBe(0);
        }
      }
    });
  });

  it('takes the format of the source from its media type, or its first bytes', async () => {
    const response = new Response(written['messagepack']!(nested), { headers: { 'Content-Type': 'application/vnd.msgpack' } });
    expect(JSON.parse(String(await readAll(encoder.transcode(response, { to: { format: 'json' } }))))).toEqual(nested);
    expect(unpack(await readAll(encoder.transcode(written['json']!(nested), { to: { format: 'messagepack' } })))).toEqual(nested);
  });

  it('writes the items of a list before the last of them has come', async () => {
    let finish!: () => void;
    const text = JSON.stringify(rows);
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, -100)));
        finish = () => {
          controller.enqueue(new TextEncoder().encode(text.slice(-100)));
          controller.close();
        };
      },
    });
    const reader = encoder.transcode(source, { to: { format: 'json' } }).getReader();
    const first = await reader.read();
    expect(first.value!.length).toBeGreaterThan(0);
    finish();
    const rest: Uint8Array[] = [first.value!];
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest.push(read.value);
    expect(String(Buffer.concat(rest))).toBe(text);
  });

  it('errors with the typed error of the source, or of what cannot be written', async () => {
    const cut = written['messagepack']!(rows).slice(0, 1_000);
    await expect(readAll(encoder.transcode(cut, { from: { format: 'messagepack' }, to: { format: 'json' } }))).rejects.toMatchObject({
      name: 'DecodeError',
      code: 'truncated',
    });
    const big = Uint8Array.from(new Packr({ useRecords: false, int64AsType: 'bigint' }).pack([1, { a: 2n ** 63n }]));
    await expect(readAll(encoder.transcode(big, { to: { format: 'json' } }))).rejects.toMatchObject({
      name: 'EncodeError',
      code: 'unsupported',
      path: [1, 'a'],
    });
  });

  it('stops reading the source when nobody wants the rest, and when its signal says so', async () => {
    let cancelled = 0;
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('[')),
        pull: (controller) => controller.enqueue(new TextEncoder().encode(`"${'x'.repeat(50_000)}",`)),
        cancel: () => void (cancelled += 1),
      });
    const reader = encoder.transcode(endless(), { to: { format: 'json' } }).getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => cancelled).toBe(1);
    const control = new AbortController();
    const other = encoder.transcode(endless(), { to: { format: 'json', signal: control.signal } }).getReader();
    await other.read();
    control.abort('enough');
    await expect(
      (async () => {
        for (;;) await other.read();
      })(),
    ).rejects.toBe('enough');
    await expect.poll(() => cancelled).toBe(2);
  });
});
