import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { Assembler } from '../../../../../main/streams/assembler.ts';
import type { ResultForm } from '../../../../../main/rows/form.ts';
import { Materialiser } from '../../../../../main/rows/materialise.ts';
import { Rows } from '../../../../../main/rows/rows.ts';
import { ENTRY_RAW, PART_BATCH } from '../../../../../core/block/block.ts';
import { blockParts, serialiseBlock } from '../../../../../core/block/block-file.ts';
import { DecodeSession } from '../../../../../core/format/decode-session.ts';
import type { AnyFormat } from '../../../../../core/format/format.ts';
import cbor from '../../../../../core/formats/cbor/index.ts';
import json from '../../../../../core/formats/json/index.ts';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { reviveCore } from '../../../../../core/reading/revive.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { RowSink } from '../../../../../core/kernels/row-sink.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { hurryClock, tasksDuring } from '../../../../setup/stand-ins/clock.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';
import { kernelOf } from '../../../../setup/kernels/kernels.ts';
import fc from '../../../../setup/properties/property.ts';

const formats = { json, messagepack, cbor } as unknown as Record<'json' | 'messagepack' | 'cbor', AnyFormat>;
type Id = keyof typeof formats;

/** Payload options, and how it is read. */
interface Setting {
  size?: number;
  options?: object;
  limits?: Parameters<typeof resolveLimits>[0];
}

const text = new TextEncoder();
const encoders: Record<string, { id: Id; encode: (value: unknown) => Uint8Array<ArrayBuffer> }> = {
  JSON: { id: 'json', encode: (value) => text.encode(JSON.stringify(value)) },
  'JSON with white space': { id: 'json', encode: (value) => text.encode(JSON.stringify(value, null, 1)) },
  MessagePack: { id: 'messagepack', encode: (value) => new Uint8Array(new Packr({ useRecords: false, variableMapSize: true }).pack(value)) },
  CBOR: { id: 'cbor', encode: (value) => new Uint8Array(new Encoder({ useRecords: false, variableMapSize: true }).encode(value)) },
};

function decode(id: Id, bytes: Uint8Array, sink: Sink, { size = bytes.length || 1, options = {}, limits }: Setting = {}): void {
  const session = new DecodeSession({ id, format: formats[id], options, limits: resolveLimits(limits) }, sink);
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    session.push(chunk);
    chunk.fill(0xff);
  }
  session.end();
}

function partsOf(id: Id, bytes: Uint8Array, setting: Setting = {}, raw = true): ArrayBuffer[] {
  const parts: ArrayBuffer[] = [];
  const sink = new RowSink((part) => parts.push(part), resolveLimits(setting.limits), { raw });
  decode(id, bytes, sink, setting);
  sink.finish();
  return parts;
}

/** Returns the function with which the page reads raw rows. */
const readItems =
  (id: Id) =>
  (bytes: Uint8Array): unknown[] => {
    const sink = new ObjectSink(reviveCore);
    decode(id, bytes, sink, { options: { sequence: true } });
    return sink.result as unknown[];
  };

function open(id: Id, parts: readonly ArrayBuffer[], as: ResultForm): Promise<unknown> {
  const materialiser = new Materialiser({ as, revive: reviveCore, readItems: readItems(id) });
  for (const part of parts) materialiser.push(part.slice(0));
  return materialiser.done();
}

function inPlace(id: Id, bytes: Uint8Array, setting: Setting = {}): unknown {
  const sink = new ObjectSink(reviveCore);
  decode(id, bytes, sink, setting);
  return sink.result;
}

/** Number of raw rows in the parts. */
function rawRows(parts: readonly ArrayBuffer[]): number {
  let rows = 0;
  for (const part of parts) {
    const [, , , offset, length] = new Int32Array(part, 0, 5) as unknown as number[];
    const words = new Int32Array(part, offset, length);
    // The entry follows that of its table, or precedes the last part's tape.
    for (let at = 0; at < words.length - 7; at++) if (words[at] === ENTRY_RAW && [-1, 0x2c].includes(words[at + 7]!)) rows += words[at + 3]!;
  }
  return rows;
}

/** Returns the error thrown by `run`. */
function failure(run: () => unknown): object {
  try {
    run();
  } catch (error) {
    const { name, code, offset, path, reason } = error as Record<string, unknown>;
    return { name, code, offset, path, reason };
  }
  return {};
}

/** Converts `Rows` anywhere in a value to arrays. */
function plain(value: unknown): unknown {
  if (value instanceof Rows) return value.toArray();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, { value: plain(inner), writable: true, enumerable: true, configurable: true });
  return copy;
}

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -7,
    1.5,
    1e300,
    2 ** 40,
    '',
    'é',
    'line\nbreak "quoted" \\ 😀',
    'a text that takes more than eight bytes',
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const key = fc.oneof(
  fc.constantFrom('id', 'name', 'tags', '__proto__', '1', '', 'constructor', 'ключ'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.record({ sku: fc.string({ maxLength: 5 }), price: fc.integer() }, { noNullPrototype: true }), { maxLength: 3 }),
    objectOf(tie('tree')),
  ),
}));

/** Objects with `__proto__` among their keys, as a parser creates it. */
function objectOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.uniqueArray(fc.tuple(key, value), { maxLength: 5, selector: ([name]) => name }).map((entries) => {
    const object = {};
    for (const [name, inner] of entries) Object.defineProperty(object, name, { value: inner, writable: true, enumerable: true, configurable: true });
    return object;
  });
}

const record = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { id: fc.integer(), name: leaf, nested: objectOf(tree), list: fc.array(tree, { maxLength: 4 }) },
      { requiredKeys: ['id', 'nested'], noNullPrototype: true },
    ),
  },
  { weight: 1, arbitrary: objectOf(tree) },
);
/** Documents with lists of records that are too nested for columns. */
const documents = fc
  .record({
    records: fc.array(record, { minLength: 5, maxLength: 12, size: 'max' }),
    times: fc.integer({ min: 5, max: 14 }),
    wrap: fc.integer({ min: 0, max: 3 }),
    more: tree,
  })
  .map(({ records, times, wrap, more }) => {
    const list = Array.from({ length: times }, (_, time) => records.map((item) => ({ ...item, time }))).flat();
    return [list, { list, more }, { more, 'a.b': { list }, last: [{ a: 1 }] }, { first: list, more, second: list.toReversed() }][wrap]!;
  });
const sizes = fc.constantFrom(1, 7, 64, 1_000, 1_000_000);
const orders = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    customer: { name: `name ${id}`, mail: `${id}@example.com` },
    lines: [{ sku: `s${id}`, price: id / 8 }],
    note: id % 3 ? null : 'é',
  }));

describe.each(Object.entries(encoders))('list of raw %s records', (_, { id, encode }) => {
  test('decodes as on the page in every result form, for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(documents, sizes, async (value, size) => {
        const bytes = encode(value);
        const parts = partsOf(id, bytes, { size });
        const expected = inPlace(id, bytes);
        assertSame(await open(id, parts, 'objects'), expected);
        assertSame(plain(await open(id, parts, 'rows')), expected);
        const materialiser = new Materialiser({ as: 'objects', revive: reviveCore, readItems: readItems(id) });
        const file = serialiseBlock(parts);
        for (const { offset } of blockParts(file)) materialiser.push(file, offset);
        assertSame(await materialiser.done(), expected);
      }),
      { numRuns: 40 },
    );
  });

  test('fails with the same code, offset and path as records in columns', () => {
    fc.assert(
      fc.property(documents, sizes, fc.nat(), fc.nat(255), fc.boolean(), (value, size, at, byte, cut) => {
        const bytes = encode(value);
        bytes[at % bytes.length] = byte;
        const spoilt = cut ? bytes.subarray(0, at % bytes.length) : bytes;
        const [raw, columns] = [true, false].map((kept) => failure(() => partsOf(id, spoilt, { size }, kept)) as { path?: unknown[]; code?: string });
        // A string in a table whose list has ended no longer has a path: see `rowPath`.
        if (columns!.code === 'invalid-utf8' && columns!.path!.length === 0) columns!.path = raw!.path!;
        expect(raw).toEqual(columns);
      }),
      { numRuns: 100 },
    );
  });

  test('reads like other rows', async () => {
    const list = orders(500);
    const parts = partsOf(id, encode(list));
    expect(rawRows(parts)).toBeGreaterThan(400);
    const rows = (await open(id, parts, 'rows')) as Rows<Record<string, unknown>>;
    expect(rows).toBeInstanceOf(Rows);
    expect(rows.length).toBe(500);
    assertSame(rows.at(0), list[0]);
    assertSame(rows.at(333), list[333]);
    assertSame(rows.at(-1), list[499]);
    expect(rows.at(500)).toBeUndefined();
    expect(rows.at(333)).toBe(rows.at(333));
    assertSame([...rows], list);
    assertSame(rows.slice(20, 300).toArray(), list.slice(20, 300));
    assertSame(rows.slice(-3).slice(1).toArray(), list.slice(-2));
    assertSame(await rows.toArrayAsync(), list);
    assertSame(JSON.parse(JSON.stringify(rows)), list);
    assertSame(rows.columnNames, ['id', 'customer', 'lines', 'note']);
    assertSame(rows.column('id'), Int32Array.from(list.keys()));
    assertSame(
      rows.column('customer'),
      list.map((order) => (order as { customer: object }).customer),
    );
    expect(rows.column('nothing')).toBeUndefined();
    assertSame(await rows.columnAsync('customer'), rows.column('customer'));
    assertSame(await rows.columnAsync('id'), rows.column('id'));
    expect(await rows.columnAsync('nothing')).toBeUndefined();
    assertSame(Object.keys(rows.slice(100, 200).columns()), rows.columnNames);
  });

  test('returns a column in slices with breaks between them, and stops at a break on request', async () => {
    const list = Array.from({ length: 20_000 }, (_, at) => ({ id: at, nested: [{ at }, ['x'.repeat(20)]] }));
    const rows = (await open(id, partsOf(id, encode(list)), 'rows')) as Rows<{ id: number }>;
    hurryClock();
    expect(await tasksDuring(async () => assertSame(await rows.columnAsync('id'), Int32Array.from(list.keys())))).toBeGreaterThan(2);
    const reason = new Error('enough');
    const abort = new AbortController();
    const column = rows.columnAsync('id', { signal: abort.signal });
    abort.abort(reason);
    await expect(column).rejects.toBe(reason);
  });

  test('supports keys that most records lack', async () => {
    const list = Array.from({ length: 200 }, (_, at) => ({
      nested: [{ at }, ['x'.repeat(20)]],
      ...(at === 150 ? { rare: at } : {}),
      ...(at === 151 ? { ['__proto__']: 5 } : {}),
    }));
    const rows = (await open(id, partsOf(id, encode(list)), 'rows')) as Rows<Record<string, unknown>>;
    assertSame(rows.columnNames, ['nested', 'rare', '__proto__']);
    assertSame(rows.slice(0, 100).columnNames, ['nested']);
    assertSame(
      rows.column('rare'),
      list.map((item) => (item as { rare?: number }).rare),
    );
    assertSame(rows.at(151), list[151]);
  });

  test.each([
    [1, 'without a kernel'],
    [50, 'without a kernel'],
    [4096, 'without a kernel'],
    [4096, 'with an eager kernel'],
    [50_000, 'with a kernel of small windows'],
    [50_000, 'with an eager kernel'],
  ])('arrives in batches, with chunks of %i bytes, %s', async (size, kernel) => {
    const list = orders(300);
    const bytes = encode({ before: 1, list, after: [2] });
    const assembler = new Assembler({ as: 'rows', revive: reviveCore, readItems: readItems(id) });
    const batches: unknown[] = [];
    let raw = 0;
    const sink = new RowSink(
      (part) => {
        raw += rawRows([part]);
        const batch = assembler.push(part);
        if (batch) batches.push(batch.build());
      },
      resolveLimits(),
      { raw: true },
      kernelOf(kernel, formats[id]),
    );
    sink.batch(['list'], 40);
    decode(id, bytes, sink, { size });
    sink.finish();
    expect(sink.kernelRows > 0).toBe(kernel !== 'without a kernel');
    const built = (await Promise.all(batches)) as Rows[];
    expect(built.map(({ length }) => length)).toEqual([40, 40, 40, 40, 40, 40, 40, 20]);
    expect(raw).toBeGreaterThan(200);
    assertSame(
      built.flatMap((rows) => rows.toArray()),
      list,
    );
    assertSame(plain(await assembler.rest()), { before: 1, list: [], after: [2] });
  });

  test.each(['without a kernel', 'with an eager kernel'])('arrives up to an error, %s', async (kernel) => {
    const list = orders(300);
    const bytes = encode(list);
    const assembler = new Assembler({ as: 'rows', revive: reviveCore, readItems: readItems(id) });
    const batches: Promise<unknown>[] = [];
    const sink = new RowSink(
      (part) => {
        if (new Int32Array(part, 8, 1)[0]! & PART_BATCH) batches.push(assembler.push(part)!.build());
        else assembler.push(part);
      },
      resolveLimits(),
      { raw: true },
      kernelOf(kernel, formats[id]),
    );
    sink.batch([]);
    expect(failure(() => decode(id, bytes.subarray(0, bytes.length - 5), sink, { size: 4000 }))).toMatchObject({ code: 'truncated' });
    expect(sink.kernelRows > 0).toBe(kernel !== 'without a kernel');
    sink.salvage();
    const built = (await Promise.all(batches)) as Rows[];
    assertSame(
      built.flatMap((rows) => rows.toArray()),
      list.slice(0, 299),
    );
  });

  test.each([{ values: 3000 }, { depth: 3 }, { stringLength: 30 }])('obeys the limits %o', (limits) => {
    const list = [...orders(400), { deep: [[[['x'.repeat(31)]]]] }];
    const bytes = encode(list);
    const raw = failure(() => partsOf(id, bytes, { limits }));
    expect(raw).toHaveProperty('name', 'LimitError');
    expect(raw).toEqual(failure(() => partsOf(id, bytes, { limits }, false)));
  });

  test('arrives in parts of about one megabyte', async () => {
    const list = orders(40_000);
    const parts = partsOf(id, encode(list), { size: 65_536 });
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.byteLength).toBeLessThan(1.5 * 1024 * 1024);
    assertSame(await open(id, parts, 'objects'), list);
  });
});

test('flat records stay in columns for any order of keys', () => {
  const flat = Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}`, at: [id, 1] }));
  const two = Array.from({ length: 500 }, (_, id) => (id & 2 ? { id, name: 'odd', text: `text ${id}` } : { name: 'even', other: `${id} text`, id }));
  for (const { id, encode } of Object.values(encoders)) {
    for (const list of [flat, two]) expect([id, rawRows(partsOf(id, encode(list))), list[0]]).toEqual([id, 0, list[0]]);
  }
});

test('a sink keeps no raw records unless requested', () => {
  expect(rawRows(partsOf('json', encoders['JSON']!.encode(orders(500)), {}, false))).toBe(0);
});

describe('sink', () => {
  const list = orders(500);

  test('writes a list to the tape if its items are not self-contained: JSON with bigints', () => {
    expect(rawRows(partsOf('json', text.encode(JSON.stringify(list)), { options: { bigints: 'bigint' } }))).toBe(0);
  });

  test.each([{ useRecords: true }, { useRecords: false, bundleStrings: true }, { structuredClone: true, moreTypes: true }])(
    'writes a list to the tape if its items are not self-contained: MessagePack with %o',
    async (options) => {
      const bytes = new Uint8Array(new Packr(options).pack(list));
      const parts = partsOf('messagepack', bytes, { size: 100 });
      assertSame(await open('messagepack', parts, 'objects'), list);
      expect(rawRows(parts)).toBe(0);
    },
  );

  test.each([{ useRecords: true }, { useRecords: false, bundleStrings: true }, { useRecords: false, pack: true }])(
    'writes a list to the tape if its items are not self-contained: CBOR with %o',
    async (options) => {
      const bytes = new Uint8Array(new Encoder(options).encode(list));
      const parts = partsOf('cbor', bytes, { size: 100 });
      assertSame(await open('cbor', parts, 'objects'), list);
      expect(rawRows(parts)).toBe(0);
    },
  );

  test('writes a list to the tape if its items are not self-contained: MessagePack that switches to records midway', async () => {
    const same = { x: 1 };
    const cyclic = [...list, { nested: [same, same, ['x'.repeat(50)]] }, ...list];
    const bytes = new Uint8Array(new Packr({ structuredClone: true, useRecords: false }).pack(cyclic));
    const result = (await open('messagepack', partsOf('messagepack', bytes, { size: 100 }), 'objects')) as typeof cyclic;
    assertSame(result, cyclic);
    const { nested } = result[500] as { nested: object[] };
    expect(nested[0]).toBe(nested[1]);
  });
});

test('MessagePack keeps records with timestamps raw', async () => {
  const list = orders(300).map((order, at) => ({ ...order, times: [new Date(at * 1000), new Date(at * 1000 + 5)] }));
  const bytes = new Uint8Array(new Packr({ useRecords: false }).pack(list));
  for (const size of [100, 1_000_000]) {
    const parts = partsOf('messagepack', bytes, { size });
    expect(rawRows(parts)).toBeGreaterThan(200);
    assertSame(await open('messagepack', parts, 'objects'), list);
  }
  const limits = { binaryLength: 7 };
  expect(failure(() => partsOf('messagepack', bytes, { limits }))).toMatchObject({ name: 'LimitError' });
  // One billion nanoseconds in the last timestamp.
  const last = bytes.lastIndexOf(0xd7);
  bytes.set([0xff, 0xff, 0xff, 0xff], last + 2);
  expect(failure(() => partsOf('messagepack', bytes))).toMatchObject({ code: 'malformed', offset: last });
});

test('a JSON text sequence keeps nested records raw', async () => {
  const list = orders(300);
  const bytes = text.encode(list.map((order) => JSON.stringify(order)).join('\n'));
  for (const size of [1, 100, 100_000]) {
    const parts = partsOf('json', bytes, { size, options: { sequence: true } });
    expect(rawRows(parts)).toBeGreaterThan(200);
    assertSame(await open('json', parts, 'objects'), list);
  }
});

test('JSON keeps escapes, lone surrogates, duplicate keys, and numbers of any length', async () => {
  const item = String.raw`{ "a" : "\ud800\n\"\u00e9" , "__proto__":{"x":[1,2]},"2":-0.0,"1":1e400,"a":{"b":1},"n":[123456789012345678901234567890,1E-7,-0,0.5e+3],"e":{},"l":[ ],"k\u0065y":[[]]}`;
  const bytes = text.encode(`[${Array.from({ length: 100 }, () => item).join(' , ')}]`);
  const expected: unknown = JSON.parse(new TextDecoder().decode(bytes));
  for (const size of [1, 33, 100_000]) {
    const parts = partsOf('json', bytes, { size });
    expect(rawRows(parts)).toBeGreaterThan(50);
    assertSame(await open('json', parts, 'objects'), expected);
  }
});
