import { pack, Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { BatchSettings, DecodeSource, FormatChoice } from '../../../../main/call/options/options.ts';
import { Rows } from '../../../../main/rows/rows.ts';
import { assertSame } from '../../../setup/ways/differential.ts';

const decoder = createDecoder();
const encoder = new TextEncoder();

interface Trip {
  id: string;
  station: string;
  at: number;
  stops?: { name: string; minutes: number[] }[];
  note: string | null;
}

function trips(count: number): Trip[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `ride-${index.toString(16).padStart(8, '0')}`,
    station: `Station ${(index * 7919) % 211}`,
    at: index % 3 === 0 ? index / 8 : index,
    ...(index % 5 === 0 && { stops: [{ name: `stop ${index % 17}`, minutes: [index, index + 1] }] }),
    note: index % 11 === 0 ? `Größe ${index}` : null,
  }));
}

/** Stream of chunks of these sizes, in turn. */
function stream(bytes: Uint8Array, ...sizes: number[]): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length]!;
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

async function collect<T>(source: DecodeSource, options?: Omit<BatchSettings, 'as'> & FormatChoice): Promise<T[][]> {
  const batches: T[][] = [];
  for await (const batch of decoder.batches<T>(source, options)) batches.push(batch);
  return batches;
}

const encodings: Record<string, (value: unknown) => Uint8Array> = {
  json: (value) => encoder.encode(JSON.stringify(value)),
  messagepack: (value) => pack(value),
  records: (value) => new Packr({ useRecords: true }).pack(value),
};

describe.each(Object.keys(encodings))('decoder of batches of %s', (name) => {
  const encode = encodings[name]!;
  const format = name === 'json' ? 'json' : 'messagepack';
  const list = trips(5_000);

  test('yields the items of the list at a path, for any chunks', async () => {
    const bytes = encode({ kind: 'trips', from: [{ id: 'a' }, { id: 'b' }], data: { trips: list, count: 5_000 }, last: trips(3) });
    for (const sizes of [[bytes.length], [1000], [65536], [1, 7, 300, 20_000]]) {
      const batches = await collect<Trip>(stream(bytes, ...sizes), { format, path: ['data', 'trips'] });
      assertSame(batches.flat(), list);
      // A payload in one chunk is divided by time alone.
      if (sizes[0] !== bytes.length) expect(batches.length).toBeGreaterThan(2);
    }
  });

  test('yields the items of an array at the root', async () => {
    assertSame((await collect<Trip>(stream(encode(list), 5000), { format })).flat(), list);
  });

  test('yields the requested number of items', async () => {
    const batches = await collect<Trip>(encode(list), { format, batchSize: 300 });
    expect(batches.map(({ length }) => length)).toEqual([...Array<number>(16).fill(300), 200]);
    assertSame(batches.flat(), list);
  });

  test('yields values that are not records', async () => {
    const values = Array.from({ length: 1200 }, (_, index) => [index, index % 2 ? 'odd' : { index }, [index], null, true][index % 5]);
    const batches = await collect(stream(encode(values), 700), { format });
    expect(batches.length).toBeGreaterThan(0);
    assertSame(batches.flat(), values);
    assertSame((await collect(encode(values), { format, batchSize: 1 })).flat(), values);
  });

  test('yields Rows for any items, and columns only for records', async () => {
    const values = Array.from({ length: 3000 }, (_, index) => (index % 1000 < 990 ? { index } : [null, [index], 'text', [{ index }]][index % 4]));
    const items: unknown[] = [];
    for await (const rows of decoder.batches(stream(encode(values), 700), { format, as: 'rows', batchSize: 500 })) {
      expect(rows).toBeInstanceOf(Rows);
      expect(rows.columnNames).toEqual(['index']);
      items.push(...Array.from(rows, (item) => (Array.isArray(item) && item[0] instanceof Rows ? item[0] : item)));
      expect(rows.column('index' as never)).toHaveLength(rows.length);
    }
    assertSame(
      items.map((item) => (item instanceof Rows ? item.toArray() : item)),
      values,
    );
    const forms: boolean[] = [];
    for await (const batch of decoder.batches<{ index: number } | null>(encode(values), { format, as: 'columns', batchSize: 500 })) {
      forms.push(Array.isArray(batch));
    }
    expect(forms).toEqual([false, true, false, true, false, true]);
  });

  test('omits values around the list, which stay available', async () => {
    const around = { before: trips(300), trips: [] as Trip[], after: trips(200), text: 'x', deep: { a: [1, 'b'] } };
    const batches = decoder.batches<Trip>(stream(encode({ ...around, trips: list }), 4096), { format, path: 'trips' });
    const seen: Trip[] = [];
    await expect(batches.rest()).rejects.toThrow(TypeError);
    for await (const batch of batches) seen.push(...batch);
    assertSame(seen, list);
    assertSame(await batches.rest(), around);
  });

  test('yields Rows or columns as requested', async () => {
    const bytes = encode({ trips: list });
    const kept = [];
    for await (const rows of decoder.batches<Trip>(stream(bytes, 9999), { format, path: 'trips', as: 'rows' })) kept.push(rows);
    expect(kept.length).toBeGreaterThan(3);
    assertSame(
      kept.flatMap((rows) => rows.toArray()),
      list,
    );
    const ids: unknown[] = [];
    for await (const { id } of decoder.batches<Trip>(stream(bytes, 9999), { format, path: 'trips', as: 'columns' })) ids.push(...id);
    assertSame(
      ids,
      list.map(({ id }) => id),
    );
  });

  test('yields the items up to an error', async () => {
    const bytes = encode({ trips: list });
    const cut = bytes.subarray(0, Math.round(bytes.length * 0.6));
    const seen: Trip[] = [];
    const reading = (async () => {
      for await (const batch of decoder.batches<Trip>(stream(cut, 3000), { format, path: 'trips' })) seen.push(...batch);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated', format });
    expect(seen.length).toBeGreaterThan(2800);
    assertSame(seen, list.slice(0, seen.length));
  });
});

describe('decoder of batches with invalid UTF-8', () => {
  interface Ride {
    name: string;
    kind: string;
    stops: { at: string }[];
  }
  const rides = Array.from({ length: 9000 }, (_, index): Ride => ({
    name: `ride ${index} ä`,
    kind: `kind ${index % 7} ö`,
    stops: index % 2 ? [{ at: `a${index} ü` }, { at: `b${index % 9} é` }] : [],
  }));

  const text = JSON.stringify({ rides });

  /** The rides, with a byte that is invalid in UTF-8 after a text that occurs once. */
  function spoiltBehind(before: string): Uint8Array<ArrayBuffer> {
    const bytes = encoder.encode(text);
    const at = encoder.encode(text.slice(0, text.indexOf(before) + before.length)).length;
    expect(text.indexOf(before)).toBeGreaterThan(0);
    bytes[at] = 0xff;
    return bytes;
  }

  test.each([
    ['in a column of strings that are all different', '"ride 5001 ', 5001],
    ['in a column of strings that repeat', '"ride 6021 ä","kind":"kind 1 ', 6021],
    ['in the first item', '"ride 0 ', 0],
    ['in the last', '"ride 8999 ', 8999],
  ])('yields all items before the fault: %s', async (_, before, good) => {
    for (const chunk of [700, 100_000, 10_000_000]) {
      const seen: Ride[] = [];
      const reading = (async () => {
        for await (const batch of decoder.batches<Ride>(stream(spoiltBehind(before), chunk), { format: 'json', path: 'rides' })) seen.push(...batch);
      })();
      await expect(reading).rejects.toMatchObject({ name: 'DecodeError', code: 'invalid-utf8' });
      assertSame(seen, rides.slice(0, good));
    }
  });

  test.each([
    ['in a list of strings', (index: number) => [`t${index} ü`]],
    ['among numbers', (index: number) => (index === 400 ? `t${index} ü` : index)],
  ])('yields all items before the fault: %s', async (_, tags) => {
    const items = Array.from({ length: 500 }, (__, index) => ({ id: index, tags: tags(index) }));
    const [before] = JSON.stringify(items).split('t400 ');
    const bytes = encoder.encode(JSON.stringify(items));
    bytes[encoder.encode(`${before}t400 `).length] = 0xff;
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const batch of decoder.batches(stream(bytes, 10_000), { format: 'json' })) seen.push(...batch);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'DecodeError', code: 'invalid-utf8' });
    assertSame(seen, items.slice(0, 400));
  });

  test('yields all items of earlier chunks if the fault is in a nested list', async () => {
    for (const chunk of [700, 5000]) {
      const seen: Ride[] = [];
      const reading = (async () => {
        for await (const batch of decoder.batches<Ride>(stream(spoiltBehind('"a4533 '), chunk), { format: 'json', path: 'rides' }))
          seen.push(...batch);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'invalid-utf8' });
      expect(seen.length).toBeGreaterThan(4533 - chunk / 40);
      expect(seen.length).toBeLessThanOrEqual(4533);
      assertSame(seen, rides.slice(0, seen.length));
    }
  });
});

test('batches of a sequence contain its values', async () => {
  const list = trips(2_000);
  const lines = encoder.encode(list.map((trip) => `${JSON.stringify(trip)}\n`).join(''));
  assertSame((await collect<Trip>(stream(lines, 1111), { format: 'json', options: { sequence: true } })).flat(), list);
  const blob = new Blob([lines], { type: 'application/x-ndjson' });
  assertSame((await collect<Trip>(blob)).flat(), list);
});

test('an error in a batch gives the index in the whole list', async () => {
  const text = JSON.stringify({ trips: trips(1000) }).replace('"ride-000002bc"', '"ride-000002bc');
  const reading = collect(stream(encoder.encode(text), 800), { format: 'json', path: 'trips' });
  await expect(reading).rejects.toMatchObject({ code: 'malformed' });
  const nulls = encoder.encode(`{"trips":[${'{"a":{"b":1}},'.repeat(900)}{"a":{"b":x}}]}`);
  const failing = collect(stream(nulls, 800), { format: 'json', path: 'trips' });
  await expect(failing).rejects.toMatchObject({ path: ['trips', 900, 'a', 'b'], offset: nulls.indexOf(0x78) });
});

test('batches of a payload without the list end with an error', async () => {
  await expect(collect(encoder.encode('{"a":1}'), { path: 'trips' })).rejects.toMatchObject({ code: 'no-list', path: ['trips'] });
  await expect(collect(encoder.encode('{"trips":1}'), { path: 'trips' })).rejects.toMatchObject({ code: 'no-list' });
  await expect(collect(encoder.encode('{"trips":[]}'))).rejects.toMatchObject({ code: 'no-list' });
  expect(await collect(encoder.encode('{"trips":[]}'), { path: 'trips' })).toEqual([]);
  await expect(collect(new Uint8Array(0))).rejects.toMatchObject({ code: 'empty' });
});

test('batches preserve the identity of values within and across batches', async () => {
  const shared = { name: 'shared' };
  interface Item {
    index: number;
    shared: object;
    own: { of: Item | undefined };
  }
  const list = Array.from({ length: 500 }, (_, index): Item => ({ index, shared, own: { of: undefined } }));
  for (const item of list) item.own.of = item;
  const bytes = new Packr({ structuredClone: true }).pack({ list });
  const batches = await collect<Item>(stream(bytes, 500), { format: 'messagepack', path: 'list' });
  expect(batches.length).toBeGreaterThan(2);
  assertSame(batches.flat(), list);
});

test('batches contain the right strings if they never repeat and if dictionaries grow', async () => {
  const list = Array.from({ length: 70_000 }, (_, index) => ({
    unique: `u${index * 31}`,
    half: `h${index >> 1}-${'x'.repeat(90)}`,
    few: `f${index % 40}`,
  }));
  const batches = await collect<(typeof list)[number]>(stream(pack(list), 50_000), { format: 'messagepack' });
  expect(
    batches.flat().every((item, index) => item.unique === list[index]!.unique && item.half === list[index]!.half && item.few === list[index]!.few),
  ).toBe(true);
});

test('leaving the loop over batches cancels the source, and the iterator ends', async () => {
  let cancelled: unknown;
  const bytes = encoder.encode(JSON.stringify(trips(10)).slice(0, -1));
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes.length > 0 ? encoder.encode(`${JSON.stringify(trips(50))}\n`) : bytes),
    cancel: (reason) => void (cancelled = reason),
  });
  let count = 0;
  for await (const batch of decoder.batches(source, { format: 'json', options: { sequence: true } })) {
    expect(batch.length).toBeGreaterThan(0);
    if (++count === 5) break;
  }
  expect(cancelled).toBeInstanceOf(DOMException);
  expect(decoder.stats().pending).toBe(0);
});

/** The first items, in any number of batches. */
async function first<T>(batches: AsyncIterator<T[], undefined>, count: number): Promise<T[]> {
  const items: T[] = [];
  while (items.length < count) items.push(...(await batches.next()).value!);
  return items;
}

test('a signal stops the loop over batches with its reason', async () => {
  const controller = new AbortController();
  const never = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(encoder.encode('[1,2,')) });
  const batches = decoder.batches<number>(never, { format: 'json', signal: controller.signal });
  expect(await first(batches, 2)).toEqual([1, 2]);
  const waiting = batches.next();
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

test('batches end with a timeout if no bytes arrive, after the complete ones', async () => {
  const never = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(encoder.encode('[1,2,')) });
  const batches = decoder.batches<number>(never, { format: 'json', stallTimeout: 50 });
  expect(await first(batches, 2)).toEqual([1, 2]);
  await expect(batches.next()).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('the progress of batches counts bytes and rows', async () => {
  const bytes = encoder.encode(JSON.stringify(trips(1000)));
  const seen: { percent: number; transferredBytes: number; totalBytes: number; rows: number }[] = [];
  await collect(new Blob([bytes]), { format: 'json', onProgress: (progress) => seen.push(progress) });
  expect(seen.at(-1)).toMatchObject({ percent: 1, transferredBytes: bytes.length, totalBytes: bytes.length });
  expect(seen.every(({ percent }, index) => index === 0 || percent >= seen[index - 1]!.percent)).toBe(true);
});
