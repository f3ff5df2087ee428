import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, createFileRegistry, type DescMessage, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filled, normal } from '../../setup/panel/filled-message.ts';
import { buildApplication, CHAT, descriptorSetOf, GENERATORS, SHOP } from '../../setup/panel/generated-apps.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

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

/** Scripts and responses of further applications, by host name. */
const applications = new Map<string, { scripts: ReadonlyMap<string, string>; responses: ReadonlyMap<string, Uint8Array> }>();

let server: Server;
let scripts: Map<string, string>;

beforeAll(async () => {
  scripts = await buildApplication('ts-proto', SHOP);
  server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    const application = applications.get(request.headers.host!.split(':')[0]!);
    const answer = application?.responses.get(path);
    const script = application ? application.scripts.get(path.slice(1)) : scripts.get(path.slice(1));
    const page = { type: 'text/html', body: '<!doctype html><title>Shop</title><link rel="icon" href="data:,">' };
    const { type, body } = answer
      ? { type: 'application/proto', body: answer }
      : script === undefined
        ? (ANSWERS[path]?.() ?? page)
        : { type: 'text/javascript', body: script };
    request.resume();
    response.setHeader('content-type', type).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await session.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(() => {
  server.close();
});

const text = (selector: string): Promise<string | null> => session.panel.locator(selector).first().textContent();

describe('an application whose generated code is minified', () => {
  test('shows the names of its fields without set-up, of responses and of requests', async () => {
    const { open } = session;
    // The application starts once the panel has seen the navigation, which clears the list. A string, since the test runner
    // would rewrite the `import()` of a function.
    await expect.poll(() => session.rows('').count()).toBe(0);
    for (const name of scripts.keys()) await session.page.evaluate(`import('/${name}').then(() => undefined)`);
    await open('Get');
    await expect.poll(() => text('.tree')).toContain('customerName: "Ada"');
    expect(await text('.detail-facts')).toContain(', found in ');
    await open('List');
    await expect.poll(() => text('.tree')).toContain('allOrders: [2 items]');
  });

  test('shows a repeated field as a table', async () => {
    await session.open('List');
    await session.tab('Table');
    await expect.poll(() => text('.table')).toContain('Ada');
    await session.tab('Tree and bytes');
  });
});

/** Posts a message from the page. */
function send(path: string, body: Uint8Array): Promise<void> {
  return session.page.evaluate(
    async ([url, list]) => {
      const headers = { 'content-type': 'application/proto' };
      await (await fetch(url, { method: 'POST', headers, body: Uint8Array.from(list) })).arrayBuffer();
    },
    [path, [...body]] as const,
  );
}

/** The names of a value, with all text and larger numbers, whose forms are the same in the JSON of the panel and of protobuf-es. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value === 'object' && value !== null && !Object.keys(value).some((key) => key.startsWith('$')))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item)]));
  if (typeof value === 'string' && value.startsWith('text ')) return value;
  return Number(value) >= 300 ? Number(value) : 'other';
}

describe('the applications of all generators, built with the defaults of Vite', () => {
  test.each([SHOP, CHAT])(
    'show the names of every request and response without set-up: $name',
    async (proto) => {
      const { page, panel, devtools, rows } = session;
      const descriptors = createFileRegistry(fromBinary(FileDescriptorSetSchema, await descriptorSetOf(proto)));
      const messages = proto.methods.flatMap(({ name, request, response }) =>
        (['request', 'response'] as const).map((side) => {
          const desc: DescMessage = descriptors.getMessage(side === 'request' ? request : response)!;
          const value = create(desc, filled(desc));
          return { path: `/${proto.service}/${name}`, side, bytes: toBinary(desc, value), json: toJson(desc, value, { useProtoFieldName: true }) };
        }),
      );
      const expected = messages.map(({ path, side, json }) => [`${path} ${side}`, named(json)]);
      // Its messages come in frames of gRPC-web, from the server of panel-npm-clients.test.ts.
      for (const generator of GENERATORS.filter((one) => one !== 'google-protobuf')) {
        const host = `${proto.name}-${generator.toLowerCase().replaceAll(/\W/g, '-')}.localhost`;
        const built = await buildApplication(generator, proto);
        const responses = new Map(messages.filter(({ side }) => side === 'response').map(({ path, bytes: body }) => [path, body]));
        applications.set(host, { scripts: built, responses });
        await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
        await expect.poll(() => rows('').count()).toBe(0);
        for (const name of built.keys()) await page.evaluate(`import('/${name}').then(() => undefined)`);
        // The application has sent empty messages. The page sends full ones to the same methods.
        for (const { path, side, bytes: body } of messages) if (side === 'request') await send(path, body);
        await expect.poll(() => rows('').count()).toBeGreaterThanOrEqual(proto.methods.length * 2);
        await session.open(proto.methods[0]!.name);
        await expect.poll(() => text('.detail-facts')).toContain(', found in ');
        await panel.getByRole('button', { name: 'Session' }).click();
        const download = devtools.waitForEvent('download');
        await panel.getByRole('button', { name: 'Export decoded', exact: true }).click();
        const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
        await panel.getByRole('button', { name: 'Session' }).click();
        const shown = lines.map((line) => JSON.parse(line) as { url: string; side: string; value?: unknown });
        for (const [name, value] of expected)
          expect(
            shown.filter(({ url, side }) => `${new URL(url).pathname} ${side}` === name).map((line) => named(normal(line.value))),
            `${generator}: ${name as string}`,
          ).toContainEqual(value);
      }
    },
    180_000,
  );
});
