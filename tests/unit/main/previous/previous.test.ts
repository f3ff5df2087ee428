/** `previous` in the decoder and in `decodeSync`. */
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../core/formats/avro/writer.ts';
import bson from '../../../../core/formats/bson/index.ts';
import bsonWriter from '../../../../core/formats/bson/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import sia from '../../../../core/formats/sia/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../core/formats/protobuf/writer.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';
import { changesOf } from '../../../../main/changes.ts';
import { createDecoder, DecodeError, type DecodeReport, type RowsOf } from '../../../../main/index.ts';
import { compileSchema, decodeSync, encodeSync } from '../../../../main/sync.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';

interface Trip {
  id: number;
  name: string;
  stops: { at: number }[];
}
interface Trips {
  total: number;
  trips: Trip[];
}

const trip = (id: number, name = `trip ${id}`): Trip => ({ id, name, stops: [{ at: id / 7 }, { at: id }] });
const trips = (count: number, first = 0): Trip[] => Array.from({ length: count }, (_, id) => trip(first + id));
const document = (list: Trip[]): Trips => ({ total: list.length, trips: list });
const ENCODE = {
  json: (value: unknown) => new TextEncoder().encode(JSON.stringify(value)),
  messagepack: (value: unknown) => encodeSync(messagepackWriter, value),
  cbor: (value: unknown) => encodeSync(cborWriter, value),
  bson: (value: unknown) => encodeSync(bsonWriter, value),
};
const formats = Object.keys(ENCODE) as (keyof typeof ENCODE)[];
const MEDIA = { json: 'application/json', messagepack: 'application/vnd.msgpack', cbor: 'application/cbor', bson: 'application/bson' };

/** A response whose body arrives in chunks, and ends with an error if `reason` is given. */
function response(bytes: Uint8Array<ArrayBuffer>, format: keyof typeof ENCODE, size = 10_000, reason?: Error): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at < bytes.length) return;
      if (reason) controller.error(reason);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': MEDIA[format] } });
}

/** Expects that all trips but those with these ids are the objects they were. */
function expectKept(before: Trips, after: Trips, changed: readonly number[]): void {
  const known = new Set(before.trips);
  expect(after.trips.filter((item) => !known.has(item)).map(({ id }) => id)).toEqual(changed);
}

describe.each(formats)('a decoder of %s', (format) => {
  const encode = ENCODE[format];

  test.each([10, 500])('keeps the records of %d that have not changed, from bytes and responses', async (count) => {
    const decoder = createDecoder();
    const list = trips(count);
    const first = await decoder.decode<Trips>(encode(document(list)), { format, previous: undefined });
    expect(first).toEqual(document(list));
    const changed = list.with(5, trip(5, 'changed'));
    const second = await decoder.decode<Trips>(response(encode(document(changed)), format), { previous: first });
    expect(second).toEqual(document(changed));
    expectKept(first, second, [5]);
    expect(second.trips[5]!.stops).toBe(first.trips[5]!.stops);
    const longer = [trip(-1), ...changed];
    const third = await decoder.decode<Trips>(response(encode(document(longer)), format), { previous: second });
    expect(third).toEqual(document(longer));
    expectKept(second, third, [-1]);
    decoder.close();
  });

  test('returns the previous value itself if no byte has changed, also as rows', async () => {
    const decoder = createDecoder();
    const bytes = encode(document(trips(600)));
    for (const as of ['objects', 'rows'] as const) {
      const first = await decoder.decode(response(bytes, format), { as, previous: undefined });
      expect(await decoder.decode(response(bytes, format, 999), { as, previous: first })).toBe(first);
      expect(await decoder.decode(bytes, { format, as, previous: first })).toBe(first);
    }
    decoder.close();
  });

  test.each(['page', 'worker'] as const)('keeps the rows that have not changed, of a value that was decoded by the %s', async (route) => {
    const decoder = createDecoder(typeof Worker === 'undefined' ? { createWorker: localWorker } : {});
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    const list = trips(600);
    const decode = (given: Trip[], previous?: unknown): Promise<RowsOf<Trips>> =>
      decoder.decode<Trips>(response(encode(document(given)), format), { as: 'rows', route, previous });
    const first = await decode(list);
    const held = [0, 5, 599].map((index) => first.trips.at(index)!);
    const changed = [trip(-1), ...list.with(5, trip(5, 'changed'))];
    const second = await decode(changed, first);
    expect(reports.at(-1)).toMatchObject({ why: 'compared with the previous value', rows: 601 });
    expect(second.trips.toArray()).toEqual(changed);
    expect([1, 600].map((index) => second.trips.at(index))).toEqual([held[0], held[2]]);
    expect(second.trips.at(1)).toBe(held[0]);
    expect(second.trips.at(600)).toBe(held[2]);
    expect(second.trips.at(6)!.stops).toBe(held[1]!.stops);
    const third = await decode(changed.slice(1), second);
    expect(third.trips.toArray()).toEqual(changed.slice(1));
    expect(third.trips.at(5)).toBe(second.trips.at(6));
    decoder.close();
  });

  test('rejects with the error of a decode as usual if the last item is invalid, and the previous value stays good', async () => {
    const decoder = createDecoder();
    const bytes = encode(document(trips(600)));
    const first = await decoder.decode<Trips>(bytes, { format, previous: undefined });
    const cut = bytes.slice(0, -7);
    const expected = await decoder.decode(cut, { format }).catch((error: unknown) => error);
    expect(expected).toBeInstanceOf(DecodeError);
    await expect(decoder.decode(cut, { format, previous: first })).rejects.toEqual(expected);
    const more = document([...trips(600), trip(7)]);
    const second = await decoder.decode<Trips>(encode(more), { format, previous: first });
    expect(second).toEqual(more);
    expectKept(first, second, [7]);
    decoder.close();
  });

  test.each(['no', 'the right', 'too small a'])(
    'compares a payload while it arrives, with %s announced length, whatever has changed',
    async (announced) => {
      const decoder = createDecoder();
      const list = trips(1200);
      const changes: Trip[][] = [
        list,
        list.with(5, trip(5, 'changed')),
        // The decoder gives up before the end.
        list.map(({ id }) => trip(id, `other ${id}`)),
        // There is no room for all.
        [...list, ...trips(1200, 5000)],
        list.slice(0, 100),
      ];
      const first = await decoder.decode<Trips>(encode(document(list)), { format, previous: undefined });
      const known = new Set(list.map((item) => JSON.stringify(item)));
      for (const changed of changes) {
        const bytes = encode(document(changed));
        const arriving = response(bytes, format, 30_000);
        if (announced !== 'no')
          arriving.headers.set('content-length', String(announced === 'the right' ? bytes.length : Math.min(40_000, bytes.length - 1)));
        const second = await decoder.decode<Trips>(arriving, { previous: first });
        expect(second).toEqual(document(changed));
        if (changed !== changes[2])
          expectKept(
            first,
            second,
            changed.filter((item) => !known.has(JSON.stringify(item))).map(({ id }) => id),
          );
        const third = await decoder.decode<Trips>(response(bytes, format), { previous: second });
        expect(third).toBe(second);
      }
      decoder.close();
    },
  );

  test('rejects with the error of a decode as usual if the body breaks off, and the previous value stays good', async () => {
    const decoder = createDecoder();
    const list = trips(600);
    const first = await decoder.decode<Trips>(encode(document(list)), { format, previous: undefined });
    const next = encode(document(list.with(5, trip(5, 'changed'))));
    for (const length of [500, 25_000, next.length - 1]) {
      for (const reason of [undefined, new Error('the connection is lost')]) {
        const broken = (): Response => response(next.slice(0, length), format, 7000, reason);
        const expected = await decoder.decode(broken()).catch((error: unknown) => error);
        expect(expected).toBeInstanceOf(Error);
        await expect(decoder.decode(broken(), { previous: first })).rejects.toEqual(expected);
      }
    }
    expect(first).toEqual(document(list));
    expectKept(first, await decoder.decode<Trips>(next, { format, previous: first }), [5]);
    decoder.close();
  });

  test('ends with the signal while it waits for bytes', async () => {
    const decoder = createDecoder();
    const bytes = encode(document(trips(600)));
    const first = await decoder.decode<Trips>(bytes, { format, previous: undefined });
    const controller = new AbortController();
    const reason = new Error('enough');
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      // Half of the bytes arrive before the caller loses patience.
      pull(stream) {
        if (at < bytes.length / 2) stream.enqueue(bytes.slice(at, at + 10_000));
        else controller.abort(reason);
        at += 10_000;
      },
    });
    const pending = decoder.decode(new Response(body), { format, previous: first, signal: controller.signal });
    await expect(pending).rejects.toBe(reason);
    expect(await decoder.decode(bytes, { format, previous: first })).toBe(first);
    decoder.close();
  });

  test.each(['objects', 'rows'] as const)('decodes a list that shrinks to nothing and grows again, as %s', async (as) => {
    const decoder = createDecoder();
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    let previous: unknown;
    for (const count of [200, 1, 0, 0, 2, 200, 0, 200]) {
      const bytes = encode(document(trips(count)));
      const value: unknown = await decoder.decode(bytes, { format, as, previous });
      expect(plain(value)).toEqual(document(trips(count)));
      expect(await decoder.decode(response(bytes, format), { as, previous: value })).toBe(value);
      previous = value;
    }
    decoder.close();
  });

  test('compares two payloads with the same previous value at once', async () => {
    const decoder = createDecoder();
    const list = trips(600);
    const first = await decoder.decode<Trips>(encode(document(list)), { format, previous: undefined });
    const [one, other] = await Promise.all([
      decoder.decode<Trips>(encode(document(list.with(1, trip(1, 'a')))), { format, previous: first }),
      decoder.decode<Trips>(encode(document(list.with(2, trip(2, 'b')))), { format, previous: first }),
    ]);
    expectKept(first, one, [1]);
    expectKept(first, other, [2]);
    decoder.close();
  });

  test('decodeSync keeps the records that have not changed', () => {
    const code = { json, messagepack, cbor, bson }[format];
    const list = trips(500);
    const first = decodeSync<Trips>(code, encode(document(list)), { previous: undefined });
    expect(decodeSync(code, encode(document(list)), { previous: first })).toBe(first);
    const second = decodeSync<Trips>(code, encode(document(list.with(9, trip(9, 'new')))), { previous: first });
    expect(second).toEqual(document(list.with(9, trip(9, 'new'))));
    expectKept(first, second, [9]);
  });
});

describe('Protocol Buffers', () => {
  const proto = `syntax = "proto3"; message Trips { int32 total = 1; repeated Trip trips = 2; repeated string notes = 3; }
    message Trip { int32 id = 1; string name = 2; repeated Stop stops = 3; } message Stop { double at = 1; }`;
  const schema = { proto, message: 'Trips' };

  test('keep the records of a list at the root, and the other members that are equal', async () => {
    const compiled = await compileSchema(protobuf, schema);
    const decoder = createDecoder();
    for (const defaults of ['implicit', 'none', 'all'] as const) {
      const value = (list: Trip[]): Trips & { notes: string[] } => ({ ...document(list), notes: ['a', 'b'] });
      const encode = (given: object): Uint8Array<ArrayBuffer> => encodeSync(protobufWriter, given, { schema: compiled });
      const decode = (bytes: Uint8Array<ArrayBuffer>, previous?: unknown): Promise<Trips & { notes: string[] }> =>
        decoder.decode(bytes, { format: 'protobuf', schema, options: { defaults }, previous });
      const list = trips(150, 1);
      const first = await decode(encode(value(list)));
      expect(await decode(encode(value(list)), first)).toBe(first);
      const changed = [trip(1000), ...list.with(5, trip(6, 'changed'))];
      const second = await decode(encode(value(changed)), first);
      expect(second).toEqual(value(changed));
      expectKept(first, second, [1000, 6]);
      expect(second.trips[6]!.stops).toBe(first.trips[5]!.stops);
      const emptied = { ...value(changed), trips: [] };
      const third = await decode(encode(emptied), second);
      expect(third).toEqual(await decode(encode(emptied)));
      expect(third.notes).toBe(first.notes);
      const filled = await decode(encode(value(list)), third);
      expect(filled).toEqual(value(list));
      const sync = decodeSync<Trips>(protobuf, encode(value(list)), { schema: compiled, previous: undefined });
      const next = decodeSync<Trips>(protobuf, encode(value(changed)), { schema: compiled, previous: sync });
      expectKept(sync, next, [1000, 6]);
    }
    decoder.close();
  });

  test('decode as usual if the items of a list do not follow one another, or the schema is another', async () => {
    const compiled = await compileSchema(protobuf, schema);
    const decoder = createDecoder();
    const bytes = encodeSync(protobufWriter, document(trips(50, 1)), { schema: compiled });
    const first = await decoder.decode<Trips>(bytes, { format: 'protobuf', schema, previous: undefined });
    const apart = Uint8Array.of(...bytes, 8, 7, ...encodeSync(protobufWriter, { trips: [trip(99)] }, { schema: compiled }));
    const second = await decoder.decode<Trips>(apart, { format: 'protobuf', schema, previous: first });
    expect(second).toEqual({ total: 7, trips: [...trips(50, 1), trip(99)], notes: [] });
    const renamed = { proto: proto.replace('int32 total', 'int32 count'), message: 'Trips' };
    const third = await decoder.decode<Trips>(bytes, { format: 'protobuf', schema: renamed, previous: first });
    expect(third).toEqual({ count: 50, trips: trips(50, 1), notes: [] });
    decoder.close();
  });
});

describe('Avro', () => {
  const list = [1, 2, 3].map((id) => ({ id, name: `trip ${id}` }));
  const written = (records: object[]): Uint8Array<ArrayBuffer> => encodeSync(avroWriter, records, { options: { framing: 'container' } });

  test.each(['objects', 'rows'] as const)('gives the previous %s themselves for the same bytes, and decodes others as usual', async (as) => {
    const decoder = createDecoder();
    const bytes = written(list);
    const first = await decoder.decode(bytes, { format: 'avro', as, previous: undefined });
    expect([...(first as Iterable<unknown>)]).toEqual(list);
    expect(await decoder.decode(bytes, { format: 'avro', as, previous: first })).toBe(first);
    const other = written(list.slice(1));
    const second = await decoder.decode(other, { format: 'avro', as, previous: first });
    expect([...(second as Iterable<unknown>)]).toEqual(list.slice(1));
    expect(await decoder.decode(other, { format: 'avro', as, previous: second })).toBe(second);
    decoder.close();
  });

  test.each(['objects', 'rows'] as const)('gives the previous %s for a response with the status 304', async (as) => {
    const decoder = createDecoder();
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    const headers = { 'content-type': 'application/avro' };
    const first = await decoder.decode(new Response(written(list), { headers }), { as, previous: undefined });
    expect(await decoder.decode(new Response(null, { status: 304, headers }), { as, previous: first })).toBe(first);
    expect(reports.at(-1)).toMatchObject({ why: 'unchanged by the status 304', format: 'avro' });
    await expect(decoder.decode(new Response(null, { status: 304, headers }), { as, previous: undefined })).rejects.toThrow(/status 304/);
    decoder.close();
  });

  test('gives the previous value of decodeSync for the same bytes', () => {
    const bytes = written(list);
    const first = decodeSync(avro, bytes, { previous: undefined });
    expect(decodeSync(avro, bytes, { previous: first })).toBe(first);
    expect(decodeSync(avro, written(list), { previous: first })).toEqual(list);
  });
});

describe('previous', () => {
  test('ignores a previous value if it was not decoded with the option, or by other options', async () => {
    const decoder = createDecoder();
    const bytes = ENCODE.messagepack([{ id: 2 ** 40 }]);
    for (const previous of [null, 7, {}, await decoder.decode(bytes, { format: 'messagepack' })]) {
      const value = await decoder.decode(bytes, { format: 'messagepack', previous });
      expect(value).toEqual([{ id: 2 ** 40 }]);
      expect(value).not.toBe(previous);
    }
    const text = await decoder.decode(bytes, { format: 'messagepack', options: { int64: 'string' }, previous: undefined });
    const other = await decoder.decode(bytes, { format: 'messagepack', previous: text });
    expect(other).not.toBe(text);
    expect(await decoder.decode(bytes, { format: 'messagepack', options: { int64: 'string' }, previous: text })).toBe(text);
    const packed = await decoder.decode<Trip[]>(ENCODE.messagepack(trips(10)), { format: 'messagepack', previous: undefined });
    const plain = await decoder.decode<Trip[]>(ENCODE.json(trips(10)), { format: 'json', previous: packed });
    expect(plain).toEqual(packed);
    expect(plain.filter((item) => packed.includes(item))).toEqual([]);
    decoder.close();
  });

  test('is the result as columns if no byte has changed, and another result otherwise', async () => {
    const decoder = createDecoder();
    const bytes = ENCODE.json(document(trips(500)));
    const first = await decoder.decode(bytes, { as: 'columns', previous: undefined });
    expect(await decoder.decode(response(bytes, 'json'), { as: 'columns', previous: first })).toBe(first);
    const more = ENCODE.json(document(trips(501)));
    const second = await decoder.decode(response(more, 'json'), { as: 'columns', previous: first });
    expect(second).toEqual(await decoder.decode(more, { as: 'columns' }));
    expect(await decoder.decode(more, { as: 'columns', previous: second })).toBe(second);
    decoder.close();
  });

  test('rejects the option for formats that are not compared', async () => {
    const decoder = createDecoder();
    const bytes = Uint8Array.of(5, 0, 0, 0, 0);
    for (const format of ['sia', 'arrow'] as const) {
      await expect(decoder.decode(bytes, { format, previous: undefined })).rejects.toThrow(
        `the option previous does not support ${format}; supported: json, messagepack, cbor, bson, avro, protobuf`,
      );
    }
    expect(() => decodeSync(sia, bytes, { previous: undefined })).toThrow(TypeError);
    decoder.close();
  });

  test('is the result of a response with the status 304', async () => {
    const decoder = createDecoder();
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    const unchanged = (): Response => new Response(null, { status: 304 });
    for (const as of ['objects', 'rows'] as const) {
      const first = await decoder.decode(ENCODE.json(document(trips(100))), { as, previous: undefined });
      expect(await decoder.decode(unchanged(), { as, previous: first })).toBe(first);
      expect(reports.at(-1)).toMatchObject({ route: 'page', why: 'unchanged by the status 304', format: 'json' });
    }
    const plain = await decoder.decode(ENCODE.json(document(trips(100))));
    for (const previous of [undefined, plain]) await expect(decoder.decode(unchanged(), { previous })).rejects.toThrow(/status 304/);
    decoder.close();
  });

  test("leaves the caller's buffer alone, and does not see what it becomes", async () => {
    const decoder = createDecoder();
    const list = trips(100);
    const bytes = ENCODE.json(document(list));
    const first = await decoder.decode<Trips>(bytes, { previous: undefined });
    bytes.fill(0);
    const second = await decoder.decode<Trips>(ENCODE.json(document([...list, trip(-1)])), { previous: first });
    expectKept(first, second, [-1]);
    decoder.close();
  });

  test('takes the buffer with `transfer`, and copies one that cannot be taken', async () => {
    const decoder = createDecoder();
    const list = trips(100);
    let previous: Trips | undefined;
    for (const added of [[], [trip(-1)]]) {
      const bytes = ENCODE.json(document([...list, ...added]));
      previous = await decoder.decode<Trips>(bytes, { previous, transfer: true });
      expect(previous).toEqual(document([...list, ...added]));
      expect(bytes).toHaveLength(0);
    }
    const memory = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer);
    const text = ENCODE.json(document(list));
    memory.set(text);
    const third = await decoder.decode<Trips>(memory.subarray(0, text.length), { previous, transfer: true });
    expect(third).toEqual(document(list));
    expect(third.trips[7]).toBe(previous!.trips[7]);
    decoder.close();
  });

  test('decodes as usual with a reviver', async () => {
    const decoder = createDecoder();
    const list = trips(100);
    const reviveTag = vi.fn(() => undefined);
    const first = await decoder.decode<Trips>(ENCODE.messagepack(document(list)), { format: 'messagepack', reviveTag, previous: undefined });
    const second = await decoder.decode<Trips>(ENCODE.messagepack(document([...list, trip(-1)])), {
      format: 'messagepack',
      reviveTag,
      previous: first,
    });
    expect(second.trips[0]).not.toBe(first.trips[0]);
    decoder.close();
  });

  test('reports a comparison, from which the decoder learns no speed', async () => {
    const decoder = createDecoder();
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    const list = trips(20_000);
    let value = await decoder.decode<Trips>(ENCODE.json(document(list)), { previous: undefined });
    for (let round = 0; round < 4; round += 1)
      value = await decoder.decode<Trips>(ENCODE.json(document(list.with(round, trip(-round)))), { previous: value });
    expect(reports.at(-1)).toMatchObject({ route: 'page', why: 'compared with the previous value', decodeMs: 0, format: 'json' });
    expect(reports.at(-1)!.mainMs).toBeGreaterThan(0);
    const { why } = reports[0]!;
    await decoder.decode(ENCODE.json(document(list)), {});
    expect(reports.at(-1)!.why).toBe(why);
    decoder.close();
  });

  test('says where the application has changed the previous value, if it is asked to check', async () => {
    const decoder = createDecoder();
    const bytes = ENCODE.json(document(trips(100)));
    for (const as of ['objects', 'rows'] as const) {
      const first = await decoder.decode<Trips>(bytes, { as, previous: undefined });
      expect(await decoder.decode<Trips>(bytes, { as, previous: first, checkPrevious: true })).toBe(first);
      const held = first.trips.at(7)!;
      held.stops[1]!.at = -1;
      await expect(decoder.decode<Trips>(bytes, { as, previous: first, checkPrevious: true })).rejects.toThrow(
        'invalid option previous: the application has changed the value at .trips[7].stops[1].at, which stays so until its bytes change; change a copy',
      );
      expect(await decoder.decode<Trips>(bytes, { as, previous: first })).toBe(first);
    }
    const change: Record<string, (value: Trips) => unknown> = {
      '.trips': (value) => value.trips.pop(),
      '.more': (value) => Object.assign(value, { more: 1 }),
      '.total': (value) => delete (value as Partial<Trips>).total,
      '.trips[0].name': (value) => (value.trips[0]!.name = 'mine'),
    };
    for (const [place, apply] of Object.entries(change)) {
      const value = decodeSync<Trips>(json, bytes, { previous: undefined });
      expect(decodeSync(json, bytes, { previous: value, checkPrevious: true })).toBe(value);
      apply(value);
      expect(() => decodeSync(json, bytes, { previous: value, checkPrevious: true })).toThrow(`the value at ${place},`);
    }
    decoder.close();
  });

  test('ends with the signal while it compares', async () => {
    const decoder = createDecoder();
    const list = trips(20_000);
    const first = await decoder.decode<Trips>(ENCODE.json(document(list)), { previous: undefined });
    const controller = new AbortController();
    const pending = decoder.decode(ENCODE.json(document([trip(-1), ...list])), { previous: first, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    const second = await decoder.decode<Trips>(ENCODE.json(document([trip(-1), ...list])), { previous: first });
    expectKept(first, second, [-1]);
    decoder.close();
  });

  test('keeps what has not changed in objects that repeat keys, before and after', async () => {
    const decoder = createDecoder();
    const list = JSON.stringify(trips(150));
    const texts = [
      `{"trips":${list},"total":1}`,
      `{"trips":[1],"total":1,"trips":${list}}`,
      `{"trips":${list},"total":1,"total":2,"trips":[],"trips":${list}}`,
      `{"trips":${list.replace('"id":7', '"id":7,"name":"a","id":8')},"total":1,"__proto__":1,"__proto__":${list}}`,
      `{"total":1,"total":${list},"total":3,"trips":${list}}`,
    ];
    for (const [from, text] of texts.entries()) {
      const first = await decoder.decode<Trips>(ENCODE.json(JSON.parse(text)), { previous: undefined });
      const repeating = await decoder.decode<Trips>(new TextEncoder().encode(text), { previous: first });
      expect(repeating).toStrictEqual(JSON.parse(text));
      for (const next of [...texts.slice(from), ...texts.slice(0, from)]) {
        const value = await decoder.decode<Trips>(new TextEncoder().encode(next), { previous: repeating });
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(next)));
      }
    }
    decoder.close();
  });

  test.each(formats)('rows of %s keep their objects and say what has changed if one item is no record', async (format) => {
    const decoder = createDecoder();
    for (const count of [40, 400]) {
      const list: readonly unknown[] = trips(count);
      for (const odd of [5, 0.5, 'text', true, null]) {
        const withOdd = list.with(20, odd);
        let rows = await decoder.decode<{ trips: unknown[] }>(ENCODE[format]({ trips: list }), { as: 'rows', previous: undefined, format });
        for (const [next, changed] of [
          [withOdd, 20],
          [withOdd.with(3, trip(99_999)), 3],
          [list.with(3, trip(99_999)), 20],
        ] as const) {
          const held = rows.trips as unknown as { at(index: number): unknown };
          const before = list.map((_, index) => held.at(index));
          rows = await decoder.decode<{ trips: unknown[] }>(ENCODE[format]({ trips: next }), { as: 'rows', previous: rows, format });
          const now = rows.trips as unknown as { at(index: number): unknown };
          expect(next.map((_, index) => now.at(index))).toEqual(next);
          expect(before.filter((item, index) => item !== now.at(index))).toHaveLength(1);
          expect(changesOf(rows)).toMatchObject([{ added: [], removed: [], moved: [], changed: [{ index: changed, item: next[changed] }] }]);
        }
      }
    }
    decoder.close();
  });

  test('batches and rows that grow do not take the option', async () => {
    const decoder = createDecoder();
    expectTypeOf<Parameters<typeof decoder.batches>[1]>().not.toHaveProperty('previous');
    expectTypeOf<Parameters<typeof decoder.growingRows>[1]>().not.toHaveProperty('previous');
    const options = { previous: undefined };
    const refused = /^the option previous is not for batches or growingRows/;
    // @ts-expect-error The types refuse it, too.
    await expect(decoder.growingRows(ENCODE.json([trip(1)]), options)).rejects.toThrow(refused);
    // @ts-expect-error The types refuse it, too.
    await expect(decoder.batches(ENCODE.json([trip(1)]), options).next()).rejects.toThrow(TypeError);
    decoder.close();
  });
});
