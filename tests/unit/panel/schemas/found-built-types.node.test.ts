import avro from 'avsc';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSchemas } from '../../../../devtools-extension/reading/found/find-schemas.ts';
import type { FoundTypes } from '../../../../devtools-extension/reading/found/types.ts';
import { compileSchema } from '../../../../devtools-extension/reading/schemas/compile-schema.ts';
import { encodeWhole } from '../../../../devtools-extension/reading/whole-values/whole-value.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { AVRO, buildTyped, JS_BINARY, type TypedFormat } from '../../../setup/panel/generated-apps.ts';
import { readWhole } from '../read.ts';

const GENERATED = join(import.meta.dirname, '../../../fixtures/generated');

const find = (scripts: ReadonlyMap<string, string>): FoundTypes[] =>
  findSchemas(Array.from(scripts, ([name, text]) => ({ url: `https://a.test/assets/${name}`, text }))).others;

/** Value that the panel shows for a body by a schema, with the names of fields in the form of generated code. */
async function shown(format: TypedFormat, input: unknown, bytes: Uint8Array): Promise<unknown> {
  const schema = await compileSchema({ name: JSON.stringify([format, typeof input]) + Math.random(), format, input });
  const { tree } = await readWhole(bytes, { format, schema });
  return JSON.parse(JSON.stringify(exportValue(tree!, tree!.root)), (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, item]) => [key.startsWith('$') ? key : camel(key), item])),
  );
}

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const ITEM = { productName: 'Lamp', unitPrice: 12.5, imageHash: Uint8Array.of(1, 2, 255) };

/** By format, the schema as its compiler has it, the value, and how it is encoded otherwise than by this library. */
const CASES: Readonly<Record<TypedFormat, Readonly<Record<'shop' | 'chat', { exact: () => unknown; value: unknown; encode?: () => Uint8Array }>>>> = {
  avro: {
    shop: {
      exact: () => AVRO.shop,
      value: { orderId: 7, status: 'PAID', before: { 'shop.v1.Status': 'NEW' }, lineItems: [{ productName: 'Lamp' }], sentAt: 1e12, stock: { a: 1 } },
      encode() {
        return avro.Type.forSchema(AVRO.shop as never).toBuffer({ ...(this.value as object), before: 'NEW' });
      },
    },
    chat: {
      exact: () => ({ ...AVRO.chat, fields: [AVRO.chat.fields[0], { name: 'writtenBy', type: AVRO.member }] }),
      value: { roomName: 'A', writtenBy: { displayName: 'Ada', muted: true } },
    },
  },
  jsbinary: {
    shop: {
      exact: () => JS_BINARY.shop,
      value: { orderId: 7, customerName: 'Ada', lineItems: [{ productName: 'Lamp', unitPrice: 1.5 }], isPaid: true, sentAt: new Date(1e12) },
    },
    chat: { exact: () => JS_BINARY.chat, value: { roomName: 'A', message: { bodyText: 'Hello', editCount: -3, sizes: [1, 2.5] } } },
  },
  flatbuffers: {
    shop: {
      exact: async () => ({ bfbs: new Uint8Array(await readFile(join(GENERATED, 'flatbuffers/shop.bfbs'))), table: 'shop.OrderList' }),
      value: {
        all_orders: [
          {
            order_id: 7n,
            customer_name: 'Ada',
            status: 'Shipped',
            line_items: [{ product_name: 'Lamp', unit_price: 12.5, image_hash: Uint8Array.of(1, 2, 255) }, {}],
            price_deltas: [1, -2],
            is_paid: true,
            payment_type: 'Voucher',
            payment: { voucher_item: { product_name: 'Gift' } },
            check_sum: 2n ** 63n,
            tag_names: ['a', 'b'],
            ship_to: { x: 1, y: 2, depth: 3 },
            corners: [{ x: 4, y: 5, depth: 6 }],
            weight: 2.5,
            count: 0,
            cell: { corner: { x: 1, y: 2, depth: 3 }, color: 5, marks: [1, -2, 3], at: { x: 4, y: 5, depth: 6 } },
            states: ['New', 'Paid'],
            payments_type: ['Card'],
            payments: [{ card_token: 't' }],
            delta: 4,
            one: { product_name: 'One' },
          },
          { customer_name: 'Default values' },
        ],
        next_page: '2',
      },
    },
    chat: {
      exact: async () => ({ bfbs: new Uint8Array(await readFile(join(GENERATED, 'flatbuffers/chat.bfbs'))), table: 'Send' }),
      value: {
        room_name: 'A',
        new_message: {
          body_text: 'Hello',
          written_by: { member_key: 4_000_000_000, display_name: 'Ada', mute_flags: [true, false] },
          edit_count: -3,
          sent_at: 5n,
          sizes: [0.5],
          longs: [2n ** 64n - 1n],
        },
      },
    },
  },
  bebop: {
    shop: {
      exact: async () => ({ bop: await readFile(join(GENERATED, 'bebop/shop.bop'), 'utf8'), record: 'OrderList' }),
      value: {
        allOrders: [
          {
            orderId: 7n,
            customerName: 'Ada',
            status: 'Paid',
            lineItems: [ITEM],
            priceDeltas: [1, -2],
            isPaid: true,
            payment: { discriminator: 2, value: { voucherItem: ITEM } },
            checkSum: 9n,
            tagNames: ['a'],
            shipTo: { x: 1, y: 2 },
            stockCounts: new Map([['a', 1]]),
            itemsByShelf: new Map([[3, [ITEM]]]),
            orderGuid: '81c6987b-48b7-495f-ad01-ec20cc5f5be1',
            sentAt: new Date(1e12),
            pieces: [Uint8Array.of(1), Uint8Array.of(2, 3)],
          },
          { payment: { discriminator: 1, value: { cardToken: 't' } } },
        ],
        nextPage: '2',
        total: 3,
        a: -4,
        b: 5,
        ratios: [0.5],
      },
    },
    chat: {
      exact: async () => ({ bop: await readFile(join(GENERATED, 'bebop/chat.bop'), 'utf8'), record: 'Send' }),
      value: {
        roomName: 'A',
        newMessage: { bodyText: 'Hello', writtenBy: { memberKey: 5, displayName: 'Ada', muteFlags: [true] }, editCount: -3, sentimentScore: 0.5 },
      },
    },
  },
};

async function bytesOf(format: TypedFormat, exact: unknown, { value, encode }: { value: unknown; encode?: () => Uint8Array }): Promise<Uint8Array> {
  return encode ? encode.call({ value } as never) : encodeWhole(format, value, {}, await compileSchema({ name: '', format, input: exact }));
}

describe('types in the scripts of an application built with Vite', () => {
  test.each(
    (['avro', 'jsbinary', 'flatbuffers', 'bebop'] as const).flatMap((format) => (['shop', 'chat'] as const).map((name) => [format, name] as const)),
  )(
    'name every field of the body that the code reads: %s, %s',
    async (format, name) => {
      const found = find(await buildTyped(format, name));
      expect(found.map((types) => types.format)).toEqual([format]);
      const [{ types, methods }] = found as [FoundTypes];
      const response = methods.find(({ path }) => path === name)?.response;
      const type = types.find((candidate) => candidate.name === response);
      expect(type, `${JSON.stringify(methods)} of ${types.map((one) => one.name).join()}`).toBeDefined();
      const exact = await CASES[format][name].exact();
      const bytes = await bytesOf(format, exact, CASES[format][name]);
      expect(await shown(format, type!.input, bytes)).toEqual(await shown(format, exact, bytes));
    },
    60_000,
  );

  test('name every field of a body of Bebop whose binary schema was removed from the code', async () => {
    const scripts = await buildTyped('bebop', 'chat');
    const [{ types, methods }] = find(
      new Map(Array.from(scripts, ([name, text]) => [name, text.replace(/new Uint8Array\(\[3,[\d,]*\]\)/, '0')])),
    ) as [FoundTypes];
    expect(types.map(({ name }) => name)).toContain('{ roomName, newMessage }');
    expect(methods).toEqual([{ path: 'chat', request: '', response: '{ roomName, newMessage }' }]);
    const exact = await CASES.bebop.chat.exact();
    const bytes = await bytesOf('bebop', exact, CASES.bebop.chat);
    const { input } = types.find(({ name }) => name === '{ roomName, newMessage }')!;
    expect(await shown('bebop', input, bytes)).toEqual(await shown('bebop', exact, bytes));
  });
});
