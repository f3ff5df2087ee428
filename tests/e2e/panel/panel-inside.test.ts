import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({
  prepare: ({ fetchAll }) => fetchAll('/nested.json', '/tiles/14/4823/6160.pbf', '/dot.png', '/any.pb', '/cose.cbor', '/with-image.msgpack'),
});

const tree = (): Promise<string> =>
  session.panel
    .locator('.tree')
    .textContent()
    .then((text) => text ?? '');

describe('a nested payload', () => {
  test('shows its format, opens, and leads back', async () => {
    const { panel, open } = session;
    await open('nested.json');
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
    await panel.locator('.tree-row', { hasText: 'packed' }).click();
    await panel.getByRole('button', { name: /^Open the base64 as messagepack/ }).click();
    await expect.poll(tree).toContain('station: "Oak"');
    await panel.locator('.tree-row', { hasText: 'station' }).click();
    expect(await panel.locator('.inspector').innerText()).toMatch(/in Body 0x[\da-f]+ to 0x[\da-f]+/);
    await panel.getByRole('navigation', { name: 'Enclosing payloads' }).getByRole('button', { name: 'Body' }).click();
    await expect.poll(tree).toContain('zipped');
    expect(await panel.locator('.inspector-path').innerText()).toBe('$.packed');
  });

  test('opens through several layers, also from a menu', async () => {
    const { panel } = session;
    await panel.locator('.tree-row', { hasText: 'zipped' }).click({ button: 'right' });
    await panel.getByRole('menuitem', { name: 'Open base64 payload', exact: true }).click();
    await expect.poll(tree).toContain('inner');
    await panel.locator('.tree-row', { hasText: 'inner' }).click({ button: 'right' });
    await panel.getByRole('menuitem', { name: 'Open payload', exact: true }).click();
    await expect.poll(tree).toContain('deep');
    expect(await panel.locator('.layers li').count()).toBe(3);
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
  });

  test('closes when another request is opened', async () => {
    const { panel, open } = session;
    await open('6160.pbf');
    await expect.poll(tree).toContain('layers');
    expect(await panel.locator('.layers li').count()).toBe(0);
  });
});

test('an Any opens as its named message, with its bytes highlighted in the body', async () => {
  const { panel, open } = session;
  const proto = `syntax = "proto3"; package test;
    message Envelope { Any detail = 1; } message Any { string type_url = 1; bytes value = 2; }
    message Person { string name = 1; int32 id = 2; }`;
  await open('any.pb');
  await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'envelope.proto', mimeType: 'text/plain', buffer: Buffer.from(proto) });
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: 'Schemas', exact: true }).click();
  await panel.locator('.tree-row', { hasText: 'value' }).click();
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
  await panel.getByRole('button', { name: 'Open as test.Person' }).click();
  await expect.poll(() => panel.locator('.tree-row .encoding').allInnerTexts()).toEqual(['test.Person', 'string name = 1', 'int32 id = 2']);
  await panel.locator('.tree-row', { hasText: 'Ada' }).click();
  expect(await panel.locator('.inspector').innerText()).toContain('in Body 0x0026 to 0x002a');
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
});

test('the payload of a COSE signature opens as CBOR', async () => {
  const { panel, open } = session;
  await open('cose.cbor');
  await panel.locator('.tree-row', { hasText: /Uint8Array 2\d ·/ }).click();
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
  await panel.getByRole('button', { name: /^Open as cbor/ }).click();
  await expect.poll(tree).toContain('station: "Oak"');
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
});

test('images are shown for bodies and for values', async () => {
  const { panel, open } = session;
  await open('dot.png');
  await expect.poll(() => panel.locator('.image-preview').innerText()).toBe('image/png, 2 × 1');
  await open('with-image.msgpack');
  await panel.locator('.tree-row', { hasText: 'icon' }).click();
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
  await expect.poll(() => panel.locator('.value-view .image-preview').innerText()).toBe('image/png, 2 × 1');
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
});

test('vector tiles are decoded with their schema', async () => {
  const { panel, open } = session;
  await open('6160.pbf');
  await expect.poll(tree).toContain('name: "roads"');
  expect(await panel.locator('.detail-facts').innerText()).toContain('schema vector tiles');
});
