import { afterEach, describe, expect, test } from 'vitest';
import { createDecoder, type Decoder, type DecodeOptions, isRows, type Picked, type Rows } from '../../../../main/index.ts';
import { encodeSync } from '../../../../main/sync.ts';
import jsonEncoder from '../../../../core/formats/json/writer.ts';
import messagepackEncoder from '../../../../core/formats/messagepack/writer.ts';
import bsonEncoder from '../../../../core/formats/bson/writer.ts';
import cborEncoder from '../../../../core/formats/cbor/writer.ts';

interface Order {
  id: number;
  total: number;
  customer: { name: string; city: string };
  lines: { sku: string }[];
  note: string | null;
}

const decoders: Decoder[] = [];

function make(options: object = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

const orders: Order[] = Array.from({ length: 3000 }, (_, id) => ({
  id,
  total: id / 4,
  customer: { name: `name ${id % 50}`, city: `city ${id}` },
  lines: [{ sku: `a${id}` }, { sku: 'b' }],
  note: id % 3 ? null : `note ${id}`,
}));
const value = { orders, page: 1 };
const payloads = {
  json: encodeSync(jsonEncoder, value),
  messagepack: encodeSync(messagepackEncoder, value),
  cbor: encodeSync(cborEncoder, value),
  bson: encodeSync(bsonEncoder, value),
};

const pick = ['orders.id', 'orders.customer.name', ['orders', 'total']] as const;
type Left = Picked<{ orders: Order[]; page: number }, 'orders.id' | 'orders.customer.name' | 'orders.total'>;
const left: Left = { orders: orders.map(({ id, total, customer: { name } }) => ({ id, total, customer: { name } })) };

describe.each(Object.keys(payloads) as (keyof typeof payloads)[])('pick in %s', (format) => {
  test.each(['page', 'worker'] as const)('decodes the parts that are picked on the %s', async (route) => {
    const decoder = make({ syncBelow: 0 });
    const options: DecodeOptions = { format, route, pick };
    expect(await decoder.decode<Left>(payloads[format], options)).toEqual(left);
    const rows = (await decoder.decode(payloads[format], { ...options, as: 'rows', pick: ['orders.id', 'orders.total'] })) as {
      orders: Rows<{ id: number; total: number }>;
    };
    expect(isRows(rows.orders)).toBe(true);
    expect(rows.orders.toArray()).toEqual(orders.map(({ id, total }) => ({ id, total })));
    expect(Object.keys(rows)).toEqual(['orders']);
    const nested = (await decoder.decode(payloads[format], { ...options, as: 'rows' })) as { orders: Rows<Left['orders'][0]> };
    expect(isRows(nested.orders)).toBe(true);
    expect(nested.orders.at(2900)).toEqual(left.orders[2900]);
    expect(nested.orders.toArray()).toEqual(left.orders);
    expect((await nested.orders.filter({ id: { lt: 7 } })).toArray()).toEqual(left.orders.slice(0, 7));
    expect((await nested.orders.sortBy({ key: 'total', descending: true })).at(0)).toEqual(left.orders.at(-1));
  });

  test('decodes responses, short payloads and batches', async () => {
    const decoder = make();
    expect(await decoder.decode(new Response(payloads[format]), { format, pick })).toEqual(left);
    const one = {
      json: encodeSync(jsonEncoder, orders[0]),
      messagepack: encodeSync(messagepackEncoder, orders[0]),
      cbor: encodeSync(cborEncoder, orders[0]),
      bson: encodeSync(bsonEncoder, orders[0]),
    };
    expect(await decoder.decode(one[format], { format, pick: ['note', 'lines'] })).toEqual({ lines: orders[0]!.lines, note: orders[0]!.note });
    for (const route of ['page', 'worker'] as const) {
      const found: unknown[] = [];
      const batches = decoder.batches<Left['orders'][0]>(new Response(payloads[format]), { format, route, pick, path: 'orders' });
      for await (const batch of batches) found.push(...batch);
      expect(found).toEqual(left.orders);
    }
  });
});

test('pick is chosen by route, and reports the errors of what it skips', async () => {
  const decoder = make();
  expect(await decoder.decode(payloads.json, { pick })).toEqual(left);
  const text = new TextDecoder().decode(payloads.json).replace('"city 2000"', '"city 2000');
  const broken = new TextEncoder().encode(text);
  const error = await decoder.decode(broken).catch((reason: unknown) => reason);
  for (const route of ['page', 'worker'] as const) {
    const picked = await decoder.decode(broken, { pick, route }).catch((reason: unknown) => reason);
    expect(picked).toMatchObject({ code: (error as { code: string }).code, offset: (error as { offset: number }).offset });
  }
});

test('pick is refused if it is no list of paths, and together with previous', async () => {
  const decoder = make();
  for (const wrong of ['id', [1]]) {
    await expect(decoder.decode(payloads.json, { pick: wrong } as never)).rejects.toThrow('invalid option pick');
  }
  await expect(decoder.decode(payloads.json, { pick, previous: undefined })).rejects.toThrow('pick and previous');
});
