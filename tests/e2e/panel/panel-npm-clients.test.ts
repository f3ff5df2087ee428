import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientSite, startClientSite } from '../../setup/panel/npm-clients.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession();
let site: ClientSite;

beforeAll(async () => {
  site = await startClientSite();
  const { page } = session;
  await page.goto(site.url);
  await page.waitForFunction(() => 'clients' in globalThis);
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true } as const;
  await devices.send('WebAuthn.addVirtualAuthenticator', { options });
});

afterAll(() => site.close());

/** Empties the list, and has the page make the call of a client. Returns what the client was answered. */
async function call(client: string): Promise<unknown> {
  const { page, panel, rows } = session;
  await panel.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => rows('').count()).toBe(0);
  return page.evaluate((name) => (globalThis as unknown as { clients: Record<string, () => unknown> }).clients[name]!(), client);
}

const cellText = async (name: string, cell: number): Promise<string> => session.rows(name).first().locator('[role=gridcell]').nth(cell).innerText();
const tree = (): Promise<string> => session.panel.locator('.tree').innerText();
const merged = (): Promise<string> => session.panel.getByRole('region', { name: 'Merged events' }).innerText();
const labels = (): Promise<string[]> => session.panel.locator('.message-row:not(.request-header) .code').allInnerTexts();

test.each(['connect', 'connect-web with gRPC-web', 'protobuf-ts', 'grpc-web'])(
  '%s: a call has its names in the list and in the tree',
  async (client) => {
    expect(await call(client)).toBe('Ada');
    await expect.poll(() => session.rows('OrderService/Get').count()).toBe(1);
    await session.open('Get');
    await expect.poll(tree).toMatch(/customer_?name\s*:\s*"Ada"/i);
    expect(await tree()).toMatch(/line_?items/i);
    await expect.poll(() => session.formatOf('Get')).toContain('protobuf');
  },
);

test('a call that fails is marked with its status and message', async () => {
  expect(await call('a call that fails')).toContain('no such page');
  await expect.poll(() => session.rows('OrderService/List').count()).toBe(1);
  await expect.poll(() => session.rows('OrderService/List').getAttribute('class')).toContain('is-bad');
  await session.rows('List').first().click();
  await session.tab('Trailers');
  await expect.poll(() => session.panel.locator('.facts-view').innerText()).toMatch(/11 OUT_OF_RANGE[^]*no such page/);
  await session.tab('Tree and bytes');
});

test('Apollo: the parts of a deferred result are put in their places', async () => {
  expect(await call('apollo')).toBe('[7]');
  await expect.poll(() => session.rows('Bike').count()).toBe(1);
  await session.open('Bike');
  await session.tab('Merged');
  await expect.poll(merged).toMatch(/GraphQL result of 2 events, complete[^]*"trips": \[\s*7\s*\]/);
});

test('tRPC: the calls of a batch are read', async () => {
  expect(await call('trpc')).toBe('Oak,Elm');
  await expect.poll(() => session.rows('station').count()).toBe(1);
  await session.open('station');
  await expect.poll(tree).toMatch(/result[^]*Oak/);
});

test.each([
  ['signalr', /Invocation\s*Move/],
  ['signalr with MessagePack', /Invocation\s*Move\(7, "Oak"\)/],
])('%s: the messages of a hub are named', async (client, label) => {
  expect(await call(client)).toBe('7 Oak');
  await expect.poll(() => session.rows('hub').count()).toBe(1);
  await session.rows('hub').first().click();
  await expect.poll(labels).toContainEqual(expect.stringMatching(label));
  await expect.poll(labels).toContainEqual(expect.stringMatching(/Completion/));
});

test('msgpackr: a record has the keys that the connection has defined', async () => {
  expect(await call('msgpackr')).toBe('Elm');
  await expect.poll(() => session.rows('echo').count()).toBe(1);
  await session.rows('echo').first().click();
  await expect.poll(labels).toEqual(['id: 1, name: "Oak"', 'id: 1, name: "Oak"', 'id: 2, name: "Elm"', 'id: 2, name: "Elm"']);
});

test('Apache Arrow: a table is shown with its bytes', async () => {
  expect(await call('arrow')).toBe('Elm');
  await session.open('stations.arrow');
  await expect.poll(tree).toContain('"Elm"');
  expect(await cellText('stations.arrow', 0)).toContain('stations.arrow');
});

test.each([
  ['openai', 'completions'],
  ['anthropic', 'messages'],
])('%s: the events of an answer add up to its text', async (client, name) => {
  const text = String(await call(client));
  await expect.poll(() => session.rows(name).count()).toBe(1);
  await session.rows(name).first().click();
  await session.tab('Merged');
  await expect.poll(merged).toContain(text.slice(0, 40).trim());
});

test('MapLibre: the tiles that its worker loads have their layers, and their features with their properties', async () => {
  expect(['Oak St', 'Elm St', 'Ash Ave']).toContain(await call('maplibre'));
  await expect.poll(() => session.rows('0.pbf').count()).toBeGreaterThan(0);
  const types = (): Promise<string> =>
    session.panel.locator('.tree').evaluate((rows) => [...rows.querySelectorAll('.encoding')].map((type) => type.textContent).join('\n'));
  await session.open('0.pbf');
  expect(await session.formatOf('0.pbf')).toBe('protobuf');
  await expect.poll(tree).toMatch(/layers[^]*name\s*:\s*"stations"/);
  await expect.poll(types).toContain('repeated vector_tile.Tile.Layer layers = 3');
  await expect.poll(tree).toContain('{name: "Oak St", docks: 7, open: false}');
});

test('React Server Components: a payload has its rows, of which each says what it is', async () => {
  expect(await call('server components')).toBe('Bike 7,Oak St,Elm St,3');
  await expect.poll(() => session.rows('bike?_rsc').count()).toBe(1);
  await session.open('bike?_rsc');
  await expect.poll(() => session.formatOf('bike?_rsc')).toBe('rsc');
  expect(await session.panel.locator('.detail-facts').innerText()).toContain('React Server Components');
  await expect.poll(tree).toMatch(/client module[^]*model/);
});

test('WebAuthn: the attestation in a registration opens as CBOR', async () => {
  expect(await call('webauthn')).toBe('registered');
  const { panel, rows, tab } = session;
  await expect.poll(() => rows('register').count()).toBe(1);
  await rows('register').first().click();
  await panel.getByRole('radio', { name: 'Request', exact: true }).check();
  await tab('Tree and bytes');
  await expect.poll(tree).toContain('attestationObject');
  await panel.locator('.tree-row', { hasText: 'attestationObject' }).click();
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
  await panel.getByRole('button', { name: /Open the base64 as cbor/ }).click();
  await expect.poll(tree).toContain('authData');
});
