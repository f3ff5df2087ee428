import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PanelSession, startPanelSession } from '../setup/panel-session.ts';

const SOON = { timeout: 20_000 };

let session: PanelSession;
beforeAll(async () => {
  session = await startPanelSession();
  await session.fetchAll('/nested.json', '/tiles/14/4823/6160.pbf', '/dot.png', '/with-image.msgpack');
});
afterAll(() => session.close());

const tree = (): Promise<string> =>
  session.panel
    .locator('.tree')
    .textContent()
    .then((text) => text ?? '');

describe('payloads inside payloads', () => {
  test('are offered with their format, opened in place, and gone back from', async () => {
    const { panel, open } = session;
    await open('nested.json');
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
    await panel.locator('.tree-row', { hasText: 'packed' }).click();
    await panel.getByRole('button', { name: /^Open the base64 as messagepack/ }).click();
    await expect.poll(tree, SOON).toContain('station: "Oak"');
    await panel.locator('.tree-row', { hasText: 'station' }).click();
    expect(await panel.locator('.inspector').innerText()).toMatch(/in Body 0x[\da-f]+ to 0x[\da-f]+/);
    await panel.getByRole('navigation', { name: 'Payloads around this one' }).getByRole('button', { name: 'Body' }).click();
    await expect.poll(tree, SOON).toContain('zipped');
    expect(await panel.locator('.inspector-path').innerText()).toBe('$.packed');
  });

  test('are opened through several layers, from a menu too', async () => {
    const { panel } = session;
    await panel.locator('.tree-row', { hasText: 'zipped' }).click({ button: 'right' });
    await panel.getByRole('menuitem', { name: 'Open what is inside the base64', exact: true }).click();
    await expect.poll(tree, SOON).toContain('inner');
    await panel.locator('.tree-row', { hasText: 'inner' }).click({ button: 'right' });
    await panel.getByRole('menuitem', { name: 'Open what is inside', exact: true }).click();
    await expect.poll(tree, SOON).toContain('deep');
    expect(await panel.locator('.layers li').count()).toBe(3);
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
  });

  test('leave nothing behind when another request is opened', async () => {
    const { panel, open } = session;
    await open('6160.pbf');
    await expect.poll(tree, SOON).toContain('layers');
    expect(await panel.locator('.layers li').count()).toBe(0);
  });
});

test('images are shown, as a body and as a value', async () => {
  const { panel, open } = session;
  await open('dot.png');
  await expect.poll(() => panel.locator('.image-preview').innerText(), SOON).toBe('image/png, 2 × 1');
  await open('with-image.msgpack');
  await panel.locator('.tree-row', { hasText: 'icon' }).click();
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
  await expect.poll(() => panel.locator('.value-view .image-preview').innerText(), SOON).toBe('image/png, 2 × 1');
  await panel.getByRole('button', { name: 'Value', exact: true }).click();
});

test('vector tiles are read with their own schema', async () => {
  const { panel, open } = session;
  await open('6160.pbf');
  await expect.poll(tree, SOON).toContain('name: "roads"');
  expect(await panel.locator('.detail-facts').innerText()).toContain('schema vector tiles');
});

test('the panel never complains', () => {
  expect(session.complaints).toEqual([]);
});
