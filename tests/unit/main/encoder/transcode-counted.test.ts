import { Packr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { countedForm } from '../../../../main/encoder/transcode/counted-forms.ts';
import type { TranscodeSource } from '../../../../main/encoder/transcode/transcode.ts';

const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -1 - id }, none: null }));
const few = Array.from({ length: 20 }, (_, index) => [`field ${index}`, index]);

const values = {
  'a list between fields': { meta: { count: 3, tags: ['a'] }, é: '😀', rows, after: [1], end: { x: null } },
  'a list alone': { rows },
  'a list at either end': { rows, between: 1, others: rows.slice(7) },
  'numbers and lists of lists': { numbers: rows.map(({ id }) => id), lists: rows.map(({ id, at }) => [id, [at]]), empty: [] },
  'more fields and items than one byte counts': {
    ...Object.fromEntries(few),
    rows: rows.slice(0, 100),
    ...Object.fromEntries(few.map(([key]) => [`${key}!`, null])),
  },
  'more items than two bytes count': { numbers: new Array(66_000).fill(7) },
  'keys that are integers': { b: 1, 12: rows, c: rows, 3: 'x' },
  'a key of the name __proto__': JSON.parse(`{"a":1,"__proto__":${JSON.stringify(rows)},"z":2}`) as unknown,
  'an empty key': { '': rows, a: 1 },
};
const FORMATS = ['messagepack', 'cbor', 'bson'] as const;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return Buffer.concat(chunks);
}

/** Body with the bytes in chunks of `size`; stays open if `isOpen`. */
function body(bytes: Uint8Array<ArrayBuffer>, size: number, isOpen = false): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)));
      else if (isOpen) return new Promise(() => {});
      else controller.close();
      return undefined;
    },
  });
}

describe.each(FORMATS)('transcode to %s, whose counts or lengths come first', (format) => {
  const encoder = createEncoder();
  const transcoded = (source: ReadableStream<Uint8Array>, options: object = {}, from: TranscodeSource = {}): Promise<Buffer> =>
    readAll(encoder.transcode(source, { from, to: { format, options } }));
  const failure = (text: string, isOpen = false): Promise<Buffer> => transcoded(body(utf8(text), 3_000, isOpen), {}, { format: 'json' });

  it.each(Object.entries(values))('matches encoding %s', async (_name, value) => {
    const expected = Buffer.from(await encoder.encode(value, { format }));
    for (const from of ['json', format === 'cbor' ? 'messagepack' : 'cbor'] as const) {
      const bytes = await encoder.encode(value, { format: from });
      for (const size of [1_001, 20_001]) {
        expect(Buffer.compare(await transcoded(body(bytes, size), {}, { format: from }), expected)).toBe(0);
      }
    }
  });

  it('writes items before the source has ended', async () => {
    // Observed through an error: otherwise nothing is written before the count is known.
    const text = `{"count":3,"rows":[${'{"name":"a"},'.repeat(5_000)}{"name":"\\ud800"},${'{"name":"b"},'.repeat(20_000)}`;
    await expect(failure(text, true)).rejects.toMatchObject({ name: 'EncodeError', code: 'text', format, path: ['rows', 5_000, 'name'] });
  });

  it('gives the path in the whole value of an unwritable value, in lists and around them', async () => {
    const list = JSON.stringify(rows);
    await expect(failure(`{"a":${list.slice(0, -1)},["\\udc00"]]}`)).rejects.toMatchObject({ path: ['a', rows.length, 0] });
    await expect(failure(`{"a":${list.slice(0, -1)},["\\udc00"]]}`)).rejects.toThrow(`$.a[${rows.length}][0]`);
    await expect(failure(`{"a":${list},"b":{"c":["\\udc00"]}}`)).rejects.toMatchObject({ code: 'text', path: ['b', 'c', 0] });
    if (format === 'bson') await expect(failure(list)).rejects.toMatchObject({ code: 'type', format });
    else await expect(failure(`${list.slice(0, -1)},{"n":"\\udc00"}]`)).rejects.toMatchObject({ path: [rows.length, 'n'] });
  });

  it('keeps the last value of a duplicate key, at the first position, as decoding does', async () => {
    const list = JSON.stringify(rows);
    for (const text of [
      `{"a":1,"b":${list},"a":2,"c":${list}}`,
      `{"b":${list},"b":3}`,
      `{"b":${list},"b":${list.replaceAll('station', 'stop')},"d":0}`,
      `{"b":4,"b":${list},"c":5}`,
    ]) {
      const expected = Buffer.from(await encoder.encode(JSON.parse(text), { format }));
      expect(Buffer.compare(await transcoded(body(utf8(text), 5_000)), expected)).toBe(0);
    }
  });

  it('matches encoding with options whose output depends on earlier values', async () => {
    const value = { $count: 2, rows: [...rows, undefined, 'x'], end: [undefined] };
    const bytes = await encoder.encode(value, { format: 'messagepack' });
    const options = {
      messagepack: [{ records: true }, { bundleStrings: true }, { references: true }, { mapSize: 'uint16' }, { skipValues: [null] }],
      cbor: [{ records: true }, { deterministic: 'bytewise' }, { selfDescribed: true }, { packedValues: ['x'] }, { dates: 'text' }],
      bson: [{ undefined: 'skip' }, { undefined: 'null' }, { types: 'relaxed' }, { int64: 'integer' }],
    }[format];
    for (const own of options) {
      const expected = Buffer.from(await encoder.encode(value, { format, options: own as object }));
      expect(Buffer.compare(await transcoded(body(bytes, 5_000), own), expected)).toBe(0);
    }
  });

  it('applies the depth limit to the whole value', async () => {
    const text = JSON.stringify({ rows: [...rows, [[[]]]] });
    const deep = createEncoder({ limits: { depth: 5 } });
    const shallow = createEncoder({ limits: { depth: 4 } });
    const run = (one: typeof encoder): Promise<Buffer> => readAll(one.transcode(body(utf8(text), 3_000), { to: { format } }));
    expect((await run(deep)).length).toBeGreaterThan(text.length / 3);
    await expect(run(shallow)).rejects.toMatchObject({ code: 'depth', path: ['rows', rows.length, 0, 0] });
  });

  it('rejects a cyclic object or list', async () => {
    const list: unknown[] = rows.slice(0, 20);
    list.push({ list });
    const object: Record<string, unknown> = { rows: list.slice(0, -1) };
    object['after'] = [{ object }];
    for (const value of [{ list }, object]) {
      const bytes = await encoder.encode(value, { format: 'messagepack', options: { references: true } });
      await expect(transcoded(body(bytes, 300))).rejects.toMatchObject({ code: 'cycle' });
    }
  });
});

describe('transcode of a list at the root', () => {
  it.each(['messagepack', 'cbor'] as const)('matches encoding to %s', async (format) => {
    const encoder = createEncoder();
    const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack(rows));
    const expected = Buffer.from(await encoder.encode(rows, { format }));
    for (const size of [500, 20_000]) {
      expect(Buffer.compare(await readAll(encoder.transcode(body(bytes, size), { to: { format } })), expected)).toBe(0);
    }
  });
});

describe('countedForm', () => {
  it('rejects a BSON document of 2 GB', () => {
    const bson = countedForm('bson', {})!;
    expect(bson.list(1, 2 ** 31 - 6).head.join()).toBe('255,255,255,127');
    expect(() => bson.list(1, 2 ** 31 - 5)).toThrow('the document has 2147483648 bytes, more than BSON allows');
    expect(() => bson.object(1, 2 ** 31 - 5)).toThrow('the document has 2147483648 bytes, more than BSON allows');
  });
});
