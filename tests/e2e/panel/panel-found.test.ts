import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApplication, descriptorSetOf, SHOP } from '../../setup/panel/generated-apps.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const SOON = { timeout: 60_000 };
const session = panelSession();
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await descriptorSetOf(SHOP)));

function message(name: string, value: Record<string, unknown>): Uint8Array {
  const desc = registry.getMessage(name)!;
  return toBinary(desc, create(desc, value));
}

const ORDER = { orderId: 7n, customerName: 'Ada', status: 2 };
/** Responses by path. */
const ANSWERS: Readonly<Record<string, () => { type: string; body: Uint8Array | string }>> = {
  '/shop.v1.OrderService/Get': () => ({ type: 'application/proto', body: message('shop.v1.Order', ORDER) }),
  '/shop.v1.OrderService/List': () => ({
    type: 'application/proto',
    body: message('shop.v1.ListResponse', { allOrders: [ORDER, { ...ORDER, orderId: 8n }] }),
  }),
};

let server: Server;
let scripts: Map<string, string>;

beforeAll(async () => {
  scripts = await buildApplication('ts-proto', SHOP);
  server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    const script = scripts.get(path.slice(1));
    const page = { type: 'text/html', body: '<!doctype html><title>Shop</title><link rel="icon" href="data:,">' };
    const { type, body } = script === undefined ? (ANSWERS[path]?.() ?? page) : { type: 'text/javascript', body: script };
    request.resume();
    response.setHeader('content-type', type).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await session.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}, 120_000);

afterAll(() => {
  server.close();
});

const text = (selector: string): Promise<string | null> => session.panel.locator(selector).first().textContent(SOON);

describe('an application whose generated code is minified', () => {
  test('shows the names of its fields without set-up, of responses and of requests', async () => {
    const { open } = session;
    // The application starts once the panel has seen the navigation, which clears the list. A string, since the test runner
    // would rewrite the `import()` of a function.
    await expect.poll(() => session.rows('').count(), SOON).toBe(0);
    for (const name of scripts.keys()) await session.page.evaluate(`import('/${name}').then(() => undefined)`);
    await open('Get');
    await expect.poll(() => text('.tree'), SOON).toContain('customerName: "Ada"');
    expect(await text('.detail-facts')).toContain(', found in ');
    await open('List');
    await expect.poll(() => text('.tree'), SOON).toContain('allOrders: [2 items]');
  });

  test('shows a repeated field as a table', async () => {
    await session.open('List');
    await session.tab('Table');
    await expect.poll(() => text('.table'), SOON).toContain('Ada');
    await session.tab('Tree and bytes');
  });
});
