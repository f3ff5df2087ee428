import { encode as encodeCbor } from 'cbor-x';
import { Packr, unpack } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { compileSchema, decodeSync } from '../../../../main/sync.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';

const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -1 - id }, none: null }));
const nested = { meta: { count: 3, é: '😀' }, rows: rows.slice(0, 1_500), empty: [], deep: [[[{ a: [] }]]] };

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

/** Body whose last bytes arrive when `finish` is called. */
function heldBack(text: string): { source: ReadableStream<Uint8Array>; finish: () => void } {
  const bytes = new TextEncoder().encode(text);
  let finish!: () => void;
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.subarray(0, -100));
      finish = () => {
        controller.enqueue(bytes.subarray(-100));
        controller.close();
      };
    },
  });
  return { source, finish };
}

/** Body with the bytes in chunks of a size. */
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

  describe.each(['json', 'messagepack', 'cbor'] as const)('source in %s', (from) => {
    it.each(['json', 'messagepack'] as const)('matches encoding the decoded value as %s', async (to) => {
      for (const value of [rows.slice(0, 3_000), nested, [], {}, [1, [rows.slice(0, 3)]], 'text', 3]) {
        const bytes = written[from]!(value);
        const expected = Buffer.from(await encoder.encode(value, { format: to }));
        for (const source of [bytes, body(bytes, 10_007), new Blob([bytes])]) {
          const given = await readAll(encoder.transcode(source, { from: { format: from }, to: { format: to } }));
          expect(Buffer.compare(given, expected)).toBe(0);
        }
      }
    });
  });

  it("detects the source's format from its media type or first bytes", async () => {
    const response = new Response(written['messagepack']!(nested), { headers: { 'Content-Type': 'application/vnd.msgpack' } });
    expect(JSON.parse(String(await readAll(encoder.transcode(response, { to: { format: 'json' } }))))).toEqual(nested);
    expect(unpack(await readAll(encoder.transcode(written['json']!(nested), { to: { format: 'messagepack' } })))).toEqual(nested);
  });

  it('writes the items of a list before the last one has arrived', async () => {
    const text = JSON.stringify(rows);
    const { source, finish } = heldBack(text);
    const reader = encoder.transcode(source, { to: { format: 'json' } }).getReader();
    const first = await reader.read();
    expect(first.value!.length).toBeGreaterThan(0);
    finish();
    const rest: Uint8Array[] = [first.value!];
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest.push(read.value);
    expect(String(Buffer.concat(rest))).toBe(text);
  });

  describe('object with long lists to JSON', () => {
    const trips = rows.slice(0, 1_200);
    const values = {
      'a list between fields': { meta: { count: 3, tags: ['a'] }, é: '😀', trips, after: [1], end: { x: null } },
      'a list alone': { trips },
      'a list at either end': { trips, between: 1, others: trips.slice(7) },
      'numbers and lists of lists': { numbers: trips.map(({ id }) => id), lists: trips.map(({ id, at }) => [id, [at]]), empty: [] },
      'a list in an object in it': { inner: { trips }, trips: trips.slice(0, 50) },
      'a key of the name __proto__': JSON.parse(`{"a":1,"__proto__":${JSON.stringify(trips)},"z":2}`) as unknown,
    };

    it.each(Object.entries(values))('matches encoding %s', async (_name, value) => {
      const text = JSON.stringify(value);
      for (const from of ['json', 'messagepack', 'cbor'] as const) {
        // msgpackr and cbor-x rename __proto__.
        const bytes = from === 'json' ? new TextEncoder().encode(text) : await encoder.encode(value, { format: from });
        for (const size of [1_000, 9_001, 1_000_000]) {
          const given = await readAll(encoder.transcode(body(bytes, size), { from: { format: from }, to: { format: 'json' } }));
          expect(given.length).toBe(Buffer.byteLength(text));
          expect(String(given)).toBe(text);
        }
      }
    });

    it('writes the bytes before the last item early, and holds the rest back', async () => {
      const text = JSON.stringify({ count: rows.length, rows, after: true });
      const { source, finish } = heldBack(text);
      const reader = encoder.transcode(source, { to: { format: 'json' } }).getReader();
      const chunks: Uint8Array[] = [];
      while (Buffer.concat(chunks).length < text.length / 4) chunks.push((await reader.read()).value!);
      finish();
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      expect(String(Buffer.concat(chunks))).toBe(text);
    });

    it('omits the fields that JSON cannot represent', async () => {
      const value = { a: undefined, trips: [undefined, ...trips], b: undefined, more: trips, c: undefined };
      const bytes = await encoder.encode(value, { format: 'messagepack' });
      const given = await readAll(encoder.transcode(body(bytes, 500), { from: { format: 'messagepack' }, to: { format: 'json' } }));
      expect(String(given)).toBe(JSON.stringify(value));
    });

    it('writes a text equivalent to the source for duplicate and integer keys', async () => {
      const list = JSON.stringify(trips);
      for (const text of [
        `{"a":1,"b":${list},"a":2,"c":${list}}`,
        `{"b":${list},"b":3}`,
        `{"b":${list},"b":${list.replaceAll('station', 'stop')},"d":0}`,
        `{"b":4,"b":${list},"c":5}`,
        `{"b":${list},"7":${list},"3":1}`,
      ]) {
        const given = await readAll(encoder.transcode(body(new TextEncoder().encode(text), 5_000), { to: { format: 'json' } }));
        expect(JSON.parse(String(given))).toEqual(JSON.parse(text));
      }
    });

    it("keeps the schema's order, even if an early field is last in the bytes or absent", async () => {
      const proto = `syntax = "proto3";
        message All { int32 count = 1; repeated Trip trips = 2; repeated string names = 3; string after = 4; }
        message Trip { int32 id = 1; string name = 2; }`;
      const schema = { proto, message: 'All' };
      const list = trips.map(({ id, name }) => ({ id, name }));
      const names = list.map(({ name }) => name);
      const part = (value: object): Promise<Uint8Array<ArrayBuffer>> => encoder.encode(value, { format: 'protobuf', schema });
      for (const parts of [
        [{ count: 3, trips: list, names, after: 'x' }],
        [{ trips: list, names }],
        [{ count: 3 }, { after: 'x' }, { names }, { trips: list }],
        [{ trips: list }, { names, after: 'x' }, { count: 3 }],
        [{ count: 3, trips: list }, { names: names.slice(7) }, { trips: list }, { count: 4 }],
      ]) {
        const bytes = Uint8Array.from(Buffer.concat(await Promise.all(parts.map(part))));
        const value = decodeSync(protobuf, bytes, { schema: await compileSchema(protobuf, schema) });
        const given = await readAll(encoder.transcode(body(bytes, 3_000), { from: { format: 'protobuf', schema }, to: { format: 'json' } }));
        expect(String(given)).toBe(JSON.stringify(value));
      }
    });

    it('gives the path in the whole value of an unwritable value', async () => {
      const value = { first: 1, trips: [...trips, { big: 2n ** 63n }], after: 1 };
      const bytes = Uint8Array.from(new Packr({ useRecords: false, int64AsType: 'bigint' }).pack(value));
      const failed = readAll(encoder.transcode(body(bytes, 5_000), { from: { format: 'messagepack' }, to: { format: 'json' } }));
      await expect(failed).rejects.toMatchObject({ code: 'unsupported', format: 'json', path: ['trips', trips.length, 'big'] });
      await expect(failed).rejects.toThrow(`$.trips[${trips.length}].big`);
    });

    it('rejects a cyclic object or list, at any stage', async () => {
      const list: unknown[] = [...trips];
      list.push({ list });
      const object: Record<string, unknown> = { trips };
      object['after'] = [{ object }];
      for (const [value, path] of [
        [{ list }, ['list', trips.length, 'list']],
        [object, ['after', 0, 'object']],
      ] as const) {
        const bytes = await encoder.encode(value, { format: 'messagepack', options: { references: true } });
        const from = { format: 'messagepack' } as const;
        await expect(readAll(encoder.transcode(body(bytes, 5_000), { from, to: { format: 'json' } }))).rejects.toMatchObject({ code: 'cycle', path });
      }
    });
  });

  it('fails with the typed error of the source, or of an unwritable value', async () => {
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

  it('stops reading the source on cancel and on abort', async () => {
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

  it.each(['iterable', 'stream'] as const)('rejects on abort while its %s is pending, and closes it', async (kind) => {
    const never = new Promise<never>(() => {});
    const chunks = [new TextEncoder().encode('[1,2,')];
    const closed: unknown[] = [];
    let isWaitedFor!: () => void;
    const waiting = new Promise<void>((resolve) => (isWaitedFor = resolve));
    const next = async (): Promise<Uint8Array> => {
      if (chunks.length === 0) isWaitedFor();
      return chunks.shift() ?? (await never);
    };
    const iterable: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: await next() }),
        return: async () => ({ done: true, value: closed.push('closed') }),
      }),
    };
    const stream = new ReadableStream<Uint8Array>(
      { pull: async (controller) => controller.enqueue(await next()), cancel: () => void closed.push('closed') },
      { highWaterMark: 0 },
    );
    const control = new AbortController();
    const running = readAll(encoder.transcode({ iterable, stream }[kind], { to: { format: 'json', signal: control.signal } }));
    await waiting;
    control.abort('enough');
    await expect(running).rejects.toBe('enough');
    expect(closed).toEqual(['closed']);
  });
});
